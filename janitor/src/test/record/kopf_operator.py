"""Run by: kopf run --standalone --namespace default kopf_operator.py"""
import kopf


@kopf.on.event("configmaps")
def handled(name, **_):
    pass
