"""Estimators behave as any other of scikit-learn."""

import inspect
import io
import pickle
import re
import warnings

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")
import joblib
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import hcbr
from hcbr import HCBRClassifier, HCBRSetClassifier


@parametrize_with_checks([HCBRClassifier()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_check_estimator_without_expected_failures():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(HCBRClassifier(effort="lite"))


# What a plain model cannot do: it has no weights, and takes each number for a name of its own.
NOT_PLAIN = {
    "check_sample_weights_list", "check_sample_weights_not_overwritten",
    "check_sample_weight_equivalence_on_dense_data", "check_classifiers_train",
    "check_sample_weight_equivalence_on_sparse_data", "check_class_weight_classifiers",
}


@parametrize_with_checks([HCBRClassifier(model="plain")])
def test_checks_of_plain_models(estimator, check):
    if getattr(check, "func", check).__name__ in NOT_PLAIN:
        pytest.skip("it has no weights, and no order of numbers")
    check(estimator)


def set_checks():
    """Checks that apply to a list of cases: those that give no array to the estimator."""
    names = (
        "check_estimator_cloneable", "check_estimator_repr", "check_no_attributes_set_in_init",
        "check_parameters_default_constructible", "check_get_params_invariance",
        "check_set_params", "check_mixin_order", "check_estimator_tags_renamed",
        "check_valid_tag_types", "check_do_not_raise_errors_in_init_or_set_param",
    )
    from sklearn.utils import estimator_checks

    for name in names:
        if hasattr(estimator_checks, name):
            yield getattr(estimator_checks, name)


@pytest.mark.parametrize("check", list(set_checks()), ids=lambda c: c.__name__)
def test_checks_of_the_set_estimator(check):
    # All others make X an array of numbers, whose rows are no cases.
    check("HCBRSetClassifier", HCBRSetClassifier())


NOT_PARAMETERS = {"help", "version", "json", "html", "query", "explain-input"}


def dir_of_reading():
    from hcbr._read import READING

    return READING


def test_every_option_of_the_program_is_there(program):
    """All that says how data is read, models are built, tuned and evaluated has its name."""
    words = [program(name, "--help") for name in ("train", "tune", "evaluate")]
    found = {w for text in words for w in re.findall(r"^ +(?:-\w, )?--([a-z-]+)", text, re.M)}
    other = {  # what Python says in another way
        "help", "version", "json", "html", "explain-input", "query", "test", "folds-file",
        "predictions", "folds-out",
    }
    assert {w.replace("-", "_") for w in found - other} <= set(hcbr._hcbr.options())


def test_columns_that_nothing_has_are_refused(votes):
    X, y = votes
    for name in ("numeric", "categorical"):
        with pytest.raises(ValueError, match=f"{name} 'nothing': no case has this column"):
            HCBRClassifier(**{name: ["mx-missile", "nothing"]}).fit(X, y)
    HCBRClassifier(categorical=["empty"]).fit(X.assign(empty=None), y)  # it is there


def test_parameters_are_options(program):
    options = set(hcbr._hcbr.options())
    help_text = program("train", "--help") + program("tune", "--help")
    for estimator in (HCBRClassifier, HCBRSetClassifier):
        own = set(estimator().get_params()) - {"class_weight", "unknown", "n_jobs", "progress"}
        assert own <= options
        # The options of building, tuning and deciding, but for those of columns of the data beside
        # X, which scikit-learn gives otherwise: y and sample_weight.
        text = help_text[help_text.index("Building:"):]
        wanted = set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", text, re.M)) - NOT_PARAMETERS
        assert {name.replace("-", "_") for name in wanted} - set(dir_of_reading()) <= own
        for name in own:
            assert f"--{name.replace('_', '-')}" in help_text, name
        for name, value in inspect.signature(estimator).parameters.items():
            assert value.kind is value.KEYWORD_ONLY, name


def test_frame_as_it_is(votes):
    X, y = votes
    one = HCBRClassifier().fit(X, y)
    assert list(one.classes_) == ["democrat", "republican"]
    assert list(one.feature_names_in_) == list(X.columns) and one.n_features_in_ == 16
    assert one.score(X, y) > 0.95
    assert one.model_.to_bytes() == hcbr.Model.fit(X, y, label="class").to_bytes()
    assert one.predict_proba(X).shape == (435, 2)
    assert np.allclose(one.predict_proba(X).sum(axis=1), 1)
    assert np.array_equal(one.predict(X), one.classes_[(one.decision_function(X) > 0).astype(int)])
    assert np.allclose(np.exp(one.predict_log_proba(X)), one.predict_proba(X))
    with pytest.raises(ValueError, match="feature names"):
        one.predict(X[X.columns[::-1]])


def test_importance_adds_up(votes, numbers):
    X, y = votes
    one = HCBRClassifier().fit(X, y)
    assert one.feature_importances_.shape == (16,)
    assert one.feature_importances_.sum() == pytest.approx(1)
    assert X.columns[one.feature_importances_.argmax()] == "physician-fee-freeze"
    two = HCBRClassifier().fit(*numbers)
    assert two.feature_importances_.argmax() == 0 and len(two.feature_importances_) == 4


@pytest.mark.parametrize("labels", [[0, 1, 10], [-1.0, 2.0, 3.0], ["b", "a", "Ä"], [True, False]])
def test_classes_keep_their_type_and_order(labels):
    y = np.array(labels * 20)
    X = np.array([[labels.index(one)] for one in y.tolist()])
    one = HCBRClassifier().fit(X, y)
    assert list(one.classes_) == sorted(labels)
    assert one.predict(X).dtype == y.dtype and np.array_equal(one.predict(X), y)
    best = one.classes_[one.predict_proba(X).argmax(axis=1)]
    assert np.array_equal(best, y)


def test_more_than_ten_classes_are_in_order():
    y = np.arange(12).repeat(8)
    one = HCBRClassifier(effort="lite").fit(y.reshape(-1, 1), y)
    assert one.model_.labels != tuple(map(str, one.classes_)) or one._same_order
    assert np.array_equal(one.predict(y.reshape(-1, 1)), y)
    assert np.array_equal(one.decision_function(y.reshape(-1, 1)).argmax(axis=1), y)


def test_unknown_is_an_answer_if_it_is_wanted():
    X = np.array([["a"], ["b"]] * 10, dtype=object)
    y = ["yes", "no"] * 10
    new = np.array([["a"], ["other"]], dtype=object)
    plain = HCBRClassifier(model="plain").fit(X, y)
    assert plain.predict(new)[1] in ("yes", "no")
    asked = HCBRClassifier(model="plain", unknown="cannot say").fit(X, y)
    assert list(asked.predict(new)) == ["yes", "cannot say"]
    number = HCBRClassifier(model="plain", unknown=-1).fit(X, [1, 0] * 10)
    assert list(number.predict(new)) == [1, -1]
    missing = HCBRClassifier(model="plain", unknown=None).fit(X, y)
    assert list(missing.predict(new)) == ["yes", None]
    strict = HCBRClassifier(eta={"yes": 0.9999}, unknown="?").fit(X, y)
    assert set(strict.predict(X)) == {"?", "no"}


def test_plain_models_have_no_probabilities(votes):
    X, y = votes
    assert not hasattr(HCBRClassifier(model="plain"), "predict_proba")
    one = HCBRClassifier(model="plain", calibrate="platt").fit(X, y)
    assert one.predict_proba(X).shape == (435, 2)


def test_class_weight_and_weights(numbers):
    X, y = numbers
    heavy = HCBRClassifier(class_weight={0: 1, 1: 20}).fit(X, y)
    light = HCBRClassifier().fit(X, y)
    assert heavy.predict_proba(X)[:, 1].mean() > light.predict_proba(X)[:, 1].mean()
    balanced = HCBRClassifier(class_weight="balanced").fit(X, y)
    weight = len(y) / (2 * np.bincount(y))
    given = HCBRClassifier().fit(X, y, sample_weight=weight[y])
    assert balanced.model_.to_bytes() == given.model_.to_bytes()
    with pytest.raises(ValueError, match="Negative"):
        light.fit(X, y, sample_weight=np.where(y, -1, 1))


def test_pickle_joblib_and_clone(votes):
    X, y = votes
    one = HCBRClassifier(seed=3).fit(X, y)
    again = pickle.loads(pickle.dumps(one))
    file = io.BytesIO()
    joblib.dump(one, file)
    file.seek(0)
    for other in (again, joblib.load(file)):
        assert np.array_equal(other.predict_proba(X), one.predict_proba(X))
        assert other.model_.to_bytes() == one.model_.to_bytes()
    assert clone(one).get_params() == one.get_params()


def test_inside_the_tools_of_scikit_learn():
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipe = make_pipeline(StandardScaler().set_output(transform="default"), HCBRClassifier())
    assert cross_validate(pipe, X, y, cv=3)["test_score"].mean() > 0.9
    search = GridSearchCV(HCBRClassifier(), {"effort": ["lite", "normal"]}, cv=3, n_jobs=2)
    assert search.fit(X, y).best_score_ > 0.9
    calibrated = CalibratedClassifierCV(HCBRClassifier(effort="lite"), cv=3).fit(X, y)
    assert calibrated.predict_proba(X).shape == (150, 3)
    framed = make_pipeline(StandardScaler(), HCBRClassifier()).set_output(transform="pandas")
    assert list(framed.fit(X, y)[-1].feature_names_in_) == list(X.columns)


def test_metadata_routing(numbers):
    X, y = numbers
    with sklearn.config_context(enable_metadata_routing=True) if sklearn.__version__ >= "1.4" else \
            warnings.catch_warnings():
        if sklearn.__version__ < "1.4":
            pytest.skip("no routing in this version")
        one = HCBRClassifier(effort="lite").set_fit_request(sample_weight=True)
        one.set_score_request(sample_weight=True)
        found = cross_validate(one, X, y, params={"sample_weight": np.ones(len(y))}, cv=3,
                               error_score="raise")
        assert len(found["test_score"]) == 3


def test_tuning_options(votes):
    X, y = votes
    one = HCBRClassifier(max_error=0.02, unknown="?").fit(X, y)
    assert "held-out" in one.model_.inspect()["options"]["why"]
    two = HCBRClassifier(cost={"fp": 5, "fn": 1}, positive="republican").fit(X, y)
    assert (two.predict(X) == "republican").sum() <= (y == "republican").sum() + 5


# ---- sets ------------------------------------------------------------------------------------


def test_sets_dicts_tokens_and_texts():
    y = ["warm", "cold"] * 15
    kinds = {
        "sets": [{"sun", "sand"}, {"snow", "ice"}] * 15,
        "dicts": [{"sky": "blue", "degrees": 30}, {"sky": "grey", "degrees": -2}] * 15,
        "lists": [["sun", "sand", "sun"], ["snow"]] * 15,
        "tuples": [("sun",), ("snow", "ice")] * 15,
        "texts": ["sun and sand", "snow and ice"] * 15,
        "several": [{"sun"}, {"sky": "grey"}] * 15,
    }
    for name, X in kinds.items():
        one = HCBRSetClassifier().fit(X, y)
        assert list(one.predict(X)) == y, name
        assert one.predict_proba(X[:3]).shape == (3, 2)
        again = pickle.loads(pickle.dumps(one))
        assert np.array_equal(again.predict_proba(X), one.predict_proba(X))
        assert one.explain(X[:2])[0].label == "warm"
    assert HCBRSetClassifier().fit(kinds["texts"], y).model_.predict_one("the sun").label == "warm"


def test_words_in_sequence():
    X = ["not good at all", "good not bad at all"] * 15
    one = HCBRSetClassifier(ngrams=2).fit(X, [0, 1] * 15)
    assert any("not good" in str(r) for r in one.explain(X[:1])[0].case)


def test_set_estimator_in_a_grid():
    X = [{"a", "b"} if i % 3 else {"c"} for i in range(60)]
    y = [i % 3 > 0 for i in range(60)]
    search = GridSearchCV(HCBRSetClassifier(), {"effort": ["lite", "normal"]}, cv=3)
    assert search.fit(X, y).best_score_ == 1


@pytest.mark.parametrize("bad", ["text", {"a": 1}, {"a", "b"}, 3, None, [], [1, 2], [object()]])
def test_set_estimator_refuses_what_is_no_list_of_cases(bad):
    with pytest.raises((TypeError, ValueError)):
        HCBRSetClassifier().fit(bad, [0, 1])


def test_keys_named_as_the_label():
    X = [{"label": "x", "text": "p"}, {"label": "y", "text": "q"}] * 10
    one = HCBRSetClassifier().fit(X, [0, 1] * 10)
    assert list(one.predict(X[:2])) == [0, 1]


def test_weights_of_cases():
    X = [{"a": i % 5, "b": ["x", "y"][i % 2]} for i in range(40)]
    y = [int(i % 5 > 1) for i in range(40)]
    weight = [0, 1, 2, 1] * 10
    frame = pytest.importorskip("pandas").DataFrame(X)
    cases = HCBRSetClassifier().fit(X, y, sample_weight=weight)
    table = HCBRClassifier().fit(frame, y, sample_weight=weight)
    assert cases.model_.to_bytes() == table.model_.to_bytes()
    assert cases.model_.to_bytes() != HCBRSetClassifier().fit(X, y).model_.to_bytes()
