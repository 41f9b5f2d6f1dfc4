"""Any order of fitting, storing, loading and deciding gives the same answers."""

import pickle
import tempfile

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import hcbr

VALUES = st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text("abc", max_size=2))
CASES = st.dictionaries(st.sampled_from("pqrs"), VALUES, max_size=4)


class Stored(RuleBasedStateMachine):
    """A model and its copies, made in any way; all answer alike."""

    @initialize(
        cases=st.lists(CASES, min_size=4, max_size=12), kind=st.sampled_from(["rich", "plain"])
    )
    def fit(self, cases, kind):
        self.cases = cases
        self.kind = kind
        self.labels = ["x" if i % 2 else "y" for i in range(len(cases))]
        self.first = self.model = self.fresh(1)

    def fresh(self, jobs):
        return hcbr.Model.fit(self.cases, self.labels, model=self.kind, n_jobs=jobs)

    @rule(jobs=st.integers(1, 3))
    def fit_again(self, jobs):
        self.model = self.fresh(jobs)

    @rule()
    def through_pickle(self):
        self.model = pickle.loads(pickle.dumps(self.model))

    @rule()
    def through_bytes(self):
        self.model = hcbr.Model.from_bytes(self.model.to_bytes())

    @rule()
    def through_a_file(self):
        with tempfile.NamedTemporaryFile(suffix=".hcbr") as file:
            self.model.save(file.name)
            self.model = hcbr.Model.load(file.name)

    @rule(case=CASES)
    def decide(self, case):
        wanted = self.first.predict_one(case)
        assert self.model.predict_one(case) == wanted
        assert self.model.predict([case])[0] == wanted.label
        found = self.model.explain([case])[0]
        assert found.label == wanted.label and found["support"] == wanted.support

    @rule(case=CASES)
    def fail(self, case):
        try:
            self.model.predict_one({**case, "bad": object()})
        except TypeError:
            pass

    @invariant()
    def answers_are_the_same(self):
        if hasattr(self, "model"):
            assert self.model.to_bytes() == self.first.to_bytes()
            found = self.model.decide(self.cases, ("label", "support"))
            wanted = self.first.decide(self.cases, ("label", "support"))
            assert all(np.array_equal(found[what], wanted[what]) for what in wanted)


TestStored = Stored.TestCase
