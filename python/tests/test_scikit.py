"""Tools of scikit-learn around the estimators: each of these fails if the tool is not served."""

import threading

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")
import joblib
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import VotingClassifier
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import hcbr
from hcbr import HCBRClassifier, HCBRSetClassifier

ROUTING = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 4)


def lite(**options):
    return HCBRClassifier(effort="lite", **options)


def test_pipeline_gives_what_its_steps_give(numbers):
    X, y = numbers
    scaled = StandardScaler().fit_transform(X)
    pipe = make_pipeline(StandardScaler(), lite()).fit(X, y)
    alone = lite().fit(scaled, y)
    assert pipe[-1].model_.to_bytes() == alone.model_.to_bytes()
    assert np.array_equal(pipe.predict_proba(X), alone.predict_proba(scaled))
    assert np.array_equal(pipe.decision_function(X), alone.decision_function(scaled))
    assert list(pipe.classes_) == [0, 1]


def test_set_output_gives_names(numbers):
    pandas = pytest.importorskip("pandas")
    X, y = numbers
    frame = pandas.DataFrame(X, columns=list("abcd"))
    made = make_column_transformer((StandardScaler(), ["b", "a"]), remainder="passthrough")
    pipe = make_pipeline(made, lite()).set_output(transform="pandas").fit(frame, y)
    names = ["standardscaler__b", "standardscaler__a", "remainder__c", "remainder__d"]
    assert list(pipe[-1].feature_names_in_) == names
    assert pipe[-1].feature_importances_.shape == (4,)
    assert pipe[-1].feature_importances_.argmax() == 1
    whys = pipe[-1].explain(pipe[:-1].transform(frame[:2]))
    assert set(whys.feature_names) <= set(names)


def test_grid_search_sets_parameters(numbers):
    X, y = numbers
    grid = {"hcbrclassifier__seed": [1, 2], "hcbrclassifier__effort": ["lite", "normal"]}
    search = GridSearchCV(make_pipeline(StandardScaler(), lite()), grid, cv=2,
                          scoring="neg_log_loss", error_score="raise").fit(X, y)
    scores = search.cv_results_["mean_test_score"]
    assert len(scores) == 4 and np.isfinite(scores).all() and len(set(scores)) > 1


def test_cross_validation_scores_what_was_held_out(numbers):
    X, y = numbers
    found = cross_validate(lite(), X, y, cv=3, scoring=["roc_auc", "neg_brier_score"],
                           return_estimator=True, error_score="raise")
    assert found["test_roc_auc"].mean() > 0.9
    assert len({one.model_.to_bytes() for one in found["estimator"]}) == 3
    held = cross_val_predict(lite(), X, y, cv=3, method="predict_proba")
    assert held.shape == (200, 2) and np.allclose(held.sum(axis=1), 1)


def test_calibration_uses_probabilities_and_weights(numbers):
    X, y = numbers
    one = CalibratedClassifierCV(lite(), cv=2, method="isotonic").fit(X, y)
    assert ((one.predict_proba(X)[:, 1] > 0.5) == y).mean() > 0.9
    plain = HCBRClassifier(model="plain")  # it has a decision function, and no probabilities
    two = CalibratedClassifierCV(plain, cv=2).fit(X, y)
    assert two.predict_proba(X).shape == (200, 2)


def test_voting_with_others(numbers):
    X, y = numbers
    both = VotingClassifier([("a", lite()), ("b", lite(seed=5))], voting="soft").fit(X, y)
    parts = [one.predict_proba(X) for one in both.estimators_]
    assert np.allclose(both.predict_proba(X), np.mean(parts, axis=0))


def test_clone_copies_parameters_and_no_model(numbers):
    X, y = numbers
    one = lite(ignore=["4"], eta={0: 0.4}, class_weight={0: 2, 1: 1}, unknown="?").fit(X, y)
    other = clone(one)
    assert other.get_params() == one.get_params() and not hasattr(other, "model_")
    assert other.fit(X, y).model_.to_bytes() == one.model_.to_bytes()


def test_weights_and_class_weights_multiply(numbers):
    X, y = numbers
    weight = np.random.default_rng(3).integers(1, 4, len(y)).astype(float)
    both = lite(class_weight={0: 3, 1: 1}).fit(X, y, sample_weight=weight)
    given = lite().fit(X, y, sample_weight=weight * np.where(y == 0, 3, 1))
    assert both.model_.to_bytes() == given.model_.to_bytes()
    assert both.model_.to_bytes() != lite(class_weight={0: 3, 1: 1}).fit(X, y).model_.to_bytes()


@pytest.mark.parametrize("labels", [["9", "10"], ["9", "10", "1"]])
def test_classes_whose_texts_have_another_order(labels):
    """The model puts 9 before 10; an array of texts has them the other way round."""
    y = np.array(labels * 10)
    X = np.array([[labels.index(one)] for one in y.tolist()])
    one = lite().fit(X, y)
    assert list(one.classes_) == sorted(labels) and list(one.classes_) != list(one.model_.labels)
    assert np.array_equal(one.classes_[one.predict_proba(X).argmax(axis=1)], y)
    assert np.array_equal(one.predict(X), y)
    lead = one.decision_function(X)
    best = lead.argmax(axis=1) if lead.ndim == 2 else (lead > 0).astype(int)
    assert np.array_equal(one.classes_[best], y)


@pytest.mark.skipif(not ROUTING, reason="no routing in this version of scikit-learn")
def test_routed_weights_arrive(numbers):
    X, y = numbers
    weight = np.random.default_rng(4).integers(0, 3, len(y)).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        asked = lite().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
        pipe = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), asked)
        pipe.fit(X, y, sample_weight=weight)
        scaled = StandardScaler().fit_transform(X)
        alone = lite().fit(scaled, y, sample_weight=weight)
        assert pipe[-1].model_.to_bytes() == alone.model_.to_bytes()
        refuses = lite().set_fit_request(sample_weight=False).set_score_request(
            sample_weight=False)
        found = [cross_validate(one, X, y, cv=2, params=params, error_score="raise",
                                return_estimator=True)["estimator"][0].model_.to_bytes()
                 for one, params in ((asked, {"sample_weight": weight}), (refuses, {}))]
        assert found[0] != found[1]


def test_joblib_in_other_processes(numbers):
    X, y = numbers
    one = lite().fit(X, y)
    parts = joblib.Parallel(n_jobs=2, backend="loky")(
        joblib.delayed(one.predict_proba)(part) for part in np.array_split(X, 2))
    assert np.array_equal(np.vstack(parts), one.predict_proba(X))
    threads = joblib.Parallel(n_jobs=4, backend="threading")(
        joblib.delayed(one.predict_proba)(X) for _ in range(8))
    assert all(np.array_equal(found, threads[0]) for found in threads)


def test_other_threads_run_during_a_fit():
    """The GIL is free while C works: another thread counts on, far more than once per report."""
    draw = np.random.default_rng(1)
    X = draw.normal(size=(3000, 8))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    for work in (lambda: hcbr.Model.fit(X, y, progress=False),
                 lambda: hcbr.evaluate(X[:900], y[:900], folds=2, progress=False)):
        done = threading.Event()
        started = threading.Event()

        def run(work=work, started=started, done=done):
            started.set()
            work()
            done.set()

        thread = threading.Thread(target=run)
        thread.start()
        started.wait()
        counted = 0
        while not done.is_set():
            counted += 1
        thread.join()
        # A thread that must wait for the GIL is let in some 20 times a second at the most.
        assert counted > 10000


def test_set_estimator_behind_a_vectoriser():
    X = [{"a", "b"} if i % 3 else {"c"} for i in range(60)]
    y = [i % 3 > 0 for i in range(60)]
    one = make_pipeline(HCBRSetClassifier()).fit(X, y)
    assert list(one.predict([{"a"}, {"c"}])) == [True, False]
    found = cross_validate(HCBRSetClassifier(), X, y, cv=3, scoring="neg_log_loss")
    assert found["test_score"].mean() > -0.2
