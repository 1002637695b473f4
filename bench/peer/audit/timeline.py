"""The timeline of audit logs with DuckDB: timeline.py QUERY FILES CSV

QUERY is "object" (RESOURCE NAMESPACE NAME behind CSV) or "mutations"; FILES is a pattern.
"""
import sys

import duckdb

query, files, csv, *reference = sys.argv[1:]
columns = """{
  auditID: 'VARCHAR', stage: 'VARCHAR', verb: 'VARCHAR', "user": 'STRUCT(username VARCHAR)',
  objectRef: 'STRUCT(resource VARCHAR, namespace VARCHAR, name VARCHAR, subresource VARCHAR)',
  responseStatus: 'STRUCT(code INT)', requestReceivedTimestamp: 'VARCHAR', stageTimestamp: 'VARCHAR'}"""
if query == "object":
    resource, namespace, name = reference
    condition = (f"objectRef.resource = '{resource}' and objectRef.namespace = '{namespace}'"
                 f" and objectRef.name = '{name}'")
else:
    condition = "verb in ('create', 'update', 'patch', 'delete', 'deletecollection')"
connection = duckdb.connect()
connection.execute("set preserve_insertion_order = false")
connection.execute(f"""
    copy (
      select requestReceivedTimestamp, "user".username, verb, responseStatus.code, objectRef.resource,
        objectRef.namespace, objectRef.name, objectRef.subresource, stageTimestamp, filename, auditID
      from read_json('{files}', columns = {columns}, format = 'newline_delimited', filename = true,
        maximum_object_size = 33554432)
      where {condition}
      order by requestReceivedTimestamp
    ) to '{csv}' (header)""")
