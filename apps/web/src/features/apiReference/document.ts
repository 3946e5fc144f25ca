/** A JSON schema, as far as this page reads it. */
export interface Schema {
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  description?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Content {
  schema: Schema;
  example?: unknown;
}

interface RawOperation {
  operationId: string;
  summary: string;
  tags: string[];
  'x-callers': string[];
  'x-permission'?: string;
  'x-scope'?: string;
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { description: string; content: Record<string, Content> }>;
}

/** The document at /api/openapi.json. */
export interface OpenApi {
  info: { version: string };
  paths: Record<string, Record<string, RawOperation>>;
}

/** One call. */
export interface Operation extends RawOperation {
  method: string;
  path: string;
}

const operationAt = (path: string, method: string, operation: RawOperation): Operation => ({
  ...operation,
  method: method.toUpperCase(),
  path,
});

/** All calls of the document, in its order. */
export function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationAt(path, method, operation)),
  );
}

/** Whether an API client may make the call: it names a scope, or is the one that gives tokens. */
export const isForMachines = ({ 'x-scope': scope, tags }: Operation): boolean =>
  scope !== undefined || tags.includes('oauth');

/** The calls whose name, path, scope or summary contains every word of the search. */
export function found(operations: readonly Operation[], search: string, machinesOnly: boolean): Operation[] {
  const words = search.toLowerCase().split(/\s+/);
  return operations.filter((operation) => {
    const { operationId, method, path, summary, 'x-scope': scope = '' } = operation;
    const text = `${operationId} ${method} ${path} ${summary} ${scope}`.toLowerCase();
    return (!machinesOnly || isForMachines(operation)) && words.every((word) => text.includes(word));
  });
}

/** Calls by the domain that their name begins with. */
export function byDomain(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const domain = operation.tags[0] ?? '';
    groups.set(domain, [...(groups.get(domain) ?? []), operation]);
  }
  return groups;
}

/** A field of a body or an answer, with its path: `records[].subject`. */
export interface Field {
  path: string;
  type: string;
  required: boolean;
  description: string;
}

/** Deeper fields are in the example. */
const DEPTH = 4;

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(' | ');
  if (schema.items) return `${typeOf(schema.items)}[]`;
  const type = [schema.type ?? 'any'].flat().join(' | ');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

/** An object inside a schema; `suffix`: `[]` for each list around it. */
interface Inside {
  schema: Schema;
  suffix: string;
}

const inList = ({ schema, suffix }: Inside): Inside => ({ schema, suffix: `[]${suffix}` });

/** The objects inside a schema that have fields of their own. */
function insideOf(schema: Schema): Inside[] {
  if (schema.items) return insideOf(schema.items).map(inList);
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (parts) return parts.flatMap(insideOf);
  return schema.properties ? [{ schema, suffix: '' }] : [];
}

/** The fields of a schema, those of nested objects after the object. */
export function fieldsOf(schema: Schema, prefix = '', depth = DEPTH): Field[] {
  if (depth === 0) return [];
  return insideOf(schema).flatMap(({ schema: object, suffix }) =>
    Object.entries(object.properties ?? {}).flatMap(([name, inner]) => {
      const path = `${prefix}${suffix}${prefix === '' && suffix === '' ? '' : '.'}${name}`.replace(/^\./, '');
      const field = {
        path,
        type: typeOf(inner),
        required: object.required?.includes(name) ?? false,
        description: inner.description ?? '',
      };
      return [[field], fieldsOf(inner, path, depth - 1)].flat();
    }),
  );
}

/** The call with curl, by its example. */
export function curlOf({ method, path, requestBody, tags }: Operation, origin: string): string {
  const json = requestBody?.content['application/json']?.example;
  const lines = [`curl -X ${method} '${origin}${path}'`];
  if (tags.includes('oauth')) {
    lines.push('-u "$CLIENT_ID:$CLIENT_SECRET"', '-d grant_type=client_credentials');
  } else {
    lines.push('-H "Authorization: Bearer $TOKEN"');
    if (json !== undefined)
      lines.push(
        "-H 'Content-Type: application/json'",
        `-d '${JSON.stringify(json).replaceAll("'", String.raw`'\''`)}'`,
      );
  }
  return lines.join(' \\\n  ');
}
