"""scikit-learn's nine classifiers of the paper, with their defaults."""
import importlib
import importlib.metadata
import warnings

import numpy as np

import measures

# name: module, class, what is set
METHODS = {
    "Neural Network": ("neural_network", "MLPClassifier", {"random_state": 1}),
    "RBF SVM": ("svm", "SVC", {}),
    "Decision Tree": ("tree", "DecisionTreeClassifier", {"random_state": 1}),
    "AdaBoost": ("ensemble", "AdaBoostClassifier", {"random_state": 1}),
    "k-NN": ("neighbors", "KNeighborsClassifier", {}),
    "Linear SVM": ("svm", "LinearSVC", {"random_state": 1}),
    "QDA": ("discriminant_analysis", "QuadraticDiscriminantAnalysis", {}),
    "Random Forest": ("ensemble", "RandomForestClassifier", {"random_state": 1}),
    "Naive Bayes": ("naive_bayes", "GaussianNB", {}),
    # what scikit-learn's page "Classifier comparison" sets, from which these nine seem to come
    "Random Forest of 10 shallow trees": ("ensemble", "RandomForestClassifier", {
        "max_depth": 5, "n_estimators": 10, "max_features": 1, "random_state": 1}),
}
VERSION = importlib.metadata.version("scikit-learn")


def make(method):
    """A classifier; only here scikit-learn is loaded, which takes a while."""
    module, name, options = METHODS[method]
    return getattr(importlib.import_module("sklearn." + module), name)(**options)


def decide(method, x, y, train, test):
    """Measures of the cases `test` by a classifier of the cases `train`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a network that has not converged, collinear columns
        try:
            said = make(method).fit(x[train], y[train]).predict(x[test])
        except np.linalg.LinAlgError:  # QDA refuses a singular covariance: no positive answers
            said = np.zeros(test.sum(), bool)
    return measures.of_counts(*measures.counts(zip(y[test], said)))


def on_folds(method, x, y, fold):
    return measures.means([decide(method, x, y, fold != k, fold == k) for k in np.unique(fold)])


def by_size(method, x, y, fold, sizes):
    """MCC on the first fold of the first so many of the others."""
    others = np.flatnonzero(fold != fold.min())
    test = fold == fold.min()
    out = []
    for size in sizes:
        train = np.zeros(len(y), bool)
        train[others[:size]] = True
        both = 0 < y[train].sum() < train.sum()
        out.append(decide(method, x, y, train, test)["mcc"] if both else 0.)
    return out
