"""Extraction by rules: what people say of themselves, found without a model."""

from memweaver.adapters.rules.opening import open_rules as open_rules
from memweaver.adapters.rules.summary import RuleSummariser as RuleSummariser
