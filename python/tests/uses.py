"""Right and wrong uses of the package. A checker of types refuses the lines marked WRONG, and no
other: test_types.py asks two of them."""

import numpy as np
from numpy.typing import NDArray

import hcbr

X: NDArray[np.float64] = np.zeros((4, 2))
y = ["a", "b", "a", "b"]

model = hcbr.Model.fit(X, y, effort="lite", keep_cases="none", seed=3, ignore=["a"], n_jobs=-1)
hcbr.Model.fit(X, y, effort="hgih")  # WRONG
hcbr.Model.fit(X, y, efort="lite")  # WRONG
hcbr.Model.fit(X, y, model="fast")  # WRONG
hcbr.Model.fit(X, y, keep_cases=True)  # WRONG
hcbr.Model.fit(X, y, strict="yes")  # WRONG
hcbr.Model.fit(X, y, passes="3")  # WRONG
hcbr.Model.fit(X, y, ignore=5)  # WRONG
hcbr.Model.fit(X, y, cost={"fp": 1, "fn": 30}, groups=[1, 1, 2, 2], sample_weight=[1, 1, 1, 2])
hcbr.Model.fit(X, y, cost={"fq": 1})  # WRONG
hcbr.Model.fit(X, y, n_jobs="all")  # WRONG
hcbr.Model.fit(X, y, repeats=3)  # WRONG

shares: NDArray[np.float64] = model.predict_proba(X)
labels: list[str] = model.predict_proba(X)  # WRONG
model.predict_proba(X).colums  # WRONG
answers: dict[str, NDArray[np.generic]] = model.decide(X, ("label", "lead"))
model.decide(X, ("lable",))  # WRONG
model.decide(X, "reason")
first: hcbr.Answer = model.predict_one({"a": 1})
name: "str | int | float | None" = first.label
number: int = first.reason  # WRONG
known: "float | None" = first.known
model.save(3.5)  # WRONG
data: bytes = model.to_bytes()
text: str = model.to_bytes()  # WRONG
again: hcbr.Model = hcbr.Model.from_bytes(data)
hcbr.Modle  # WRONG

one = hcbr.HCBRClassifier(effort="max", calibrate=None, class_weight="balanced").fit(X, y)
one.predict_proba(X).astype(np.float32)
hcbr.HCBRClassifier(effort="hgih")  # WRONG
hcbr.HCBRClassifier(metric="acuracy")  # WRONG
hcbr.HCBRClassifier(class_weight="balance")  # WRONG
hcbr.HCBRClassifier(dates="ymd")  # WRONG
hcbr.HCBRClassifier(given_order="no")  # WRONG
wrong_shares: str = one.predict_proba(X)  # WRONG
wrong_scores: int = one.decision_function(X)  # WRONG
kept: hcbr.Model = one.model_
both: hcbr.HCBRSetClassifier = hcbr.HCBRSetClassifier().fit([{"a"}, {"b"}], ["x", "y"])

found: "dict[str, object]" = hcbr.evaluate(X, y, folds=5, past_only=True, equal_rows="together")
hcbr.evaluate(X, y, past_only="tenure")  # WRONG
hcbr.evaluate(X, y, equal_rows="appart")  # WRONG
hcbr.evaluate(X, y, group=[1, 2])  # WRONG
hcbr.evaluate(X, y, folds="5")  # WRONG
hcbr.tune(X, y, metric="mcc", effort="lite")
hcbr.tune(X, y, metric="auc")  # WRONG

table: hcbr.Data = hcbr.read_csv("a.csv", label="y", bad_rows="skip")
hcbr.read_csv("a.csv", bad_rows="ignore")  # WRONG
hcbr.read_csv("a.csv", effort="lite")  # WRONG
hcbr.read("a.csv", dates="ydm")  # WRONG
hcbr.train(["a.csv"], label="y", split={"tags": "|"})
hcbr.train("a.csv", format="xml")  # WRONG

why: hcbr.Explanations = model.explain(X, top=3)
reason: hcbr.Explanation = why[0]
reason.versus(7)
reason.versus(7.5)  # WRONG
reason.flip(most="3")  # WRONG
reason.flip(increase_only=["a"], ranges={"b": (1, None)})
values: NDArray[np.float64] = why.values
page: int = reason.to_html()  # WRONG
