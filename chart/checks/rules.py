"""The rules of a rendered PrometheusRule, as Prometheus itself takes them: rules.py FILE."""

import sys

import yaml
from common import documents

(rule,) = [one for one in documents(sys.argv[1]) if one["kind"] == "PrometheusRule"]
yaml.safe_dump(rule["spec"], sys.stdout)
