/** An error in SCIM's own form (RFC 7644, section 3.12). */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: string | undefined;

  constructor(status: number, detail: string, scimType?: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const SCHEMAS = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  type: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
} as const;

export type Json = Record<string, unknown>;
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of an attribute; names do not depend on case (RFC 7643, section 2.1). */
export function valueOf(object: Json, name: string): unknown {
  const key = Object.keys(object).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : object[key];
}

export const errorBody = ({ status, message, scimType }: ScimError): Json => ({
  schemas: [SCHEMAS.error],
  status: String(status),
  detail: message,
  ...(scimType === undefined ? {} : { scimType }),
});

/** `attribute eq "value"` (RFC 7644, section 3.4.2.2): the only filter there is. */
export function equalityOf(filter: string | undefined): { attribute: string; value: string } | undefined {
  if (filter === undefined) return undefined;
  const [, attribute, quoted] = /^\s*([\w.:-]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(filter) ?? [];
  if (attribute === undefined || quoted === undefined)
    throw new ScimError(400, 'Only filters of the form attribute eq "value" are supported.', 'invalidFilter');
  try {
    return { attribute: attribute.toLowerCase(), value: String(JSON.parse(quoted)) };
  } catch {
    throw new ScimError(400, 'The value of the filter cannot be read.', 'invalidFilter');
  }
}

export const PAGE_MAX = 200;

/** Paging of a list (RFC 7644, section 3.4.2.4): the first index is 1; values out of range are corrected. */
export function pagingOf({ startIndex, count }: Json): { startIndex: number; count: number } {
  const whole = (value: unknown, usual: number): number => {
    const number = Math.trunc(Number(value));
    return value === undefined || Number.isNaN(number) ? usual : number;
  };
  return {
    startIndex: Math.min(Math.max(1, whole(startIndex, 1)), 10_000_000),
    count: Math.min(Math.max(0, whole(count, 100)), PAGE_MAX),
  };
}

export const listBody = (resources: readonly Json[], totalResults: number, startIndex: number): Json => ({
  schemas: [SCHEMAS.list],
  totalResults,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** One operation of a change (RFC 7644, section 3.5.2). Some directories write `Add` for `add`. */
export interface Operation {
  op: 'add' | 'replace' | 'remove';
  /** In lower case; empty: the value is an object of attributes. */
  path: string;
  value: unknown;
}

const OPERATIONS_MAX = 1_000;

export function operationsOf(body: unknown): Operation[] {
  const list = isObject(body) ? valueOf(body, 'Operations') : undefined;
  if (!Array.isArray(list) || list.length === 0 || list.length > OPERATIONS_MAX)
    throw new ScimError(400, 'The request has no operations.', 'invalidSyntax');
  return list.map((one: unknown) => {
    const op = isObject(one) ? String(valueOf(one, 'op')).toLowerCase() : '';
    if (!isObject(one) || (op !== 'add' && op !== 'replace' && op !== 'remove'))
      throw new ScimError(400, 'The operation must be add, replace or remove.', 'invalidSyntax');
    const path = valueOf(one, 'path');
    return { op, path: typeof path === 'string' ? path.trim() : '', value: valueOf(one, 'value') };
  });
}

/** Some directories write `"True"` and `"False"` for truth values. */
export function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = String(value).toLowerCase();
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}
