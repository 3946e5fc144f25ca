import { listBody, PAGE_MAX, SCHEMAS, type Json } from './protocol.ts';

const MULTIPLE = new Set(['emails', 'phoneNumbers', 'members']);

const attribute = (name: string, type: string, more: Json = {}): Json => ({
  name,
  type,
  multiValued: MULTIPLE.has(name),
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
});

const SCHEMA_OF: Record<string, Json> = {
  [SCHEMAS.user]: {
    name: 'User',
    attributes: [
      attribute('userName', 'string', { required: true, uniqueness: 'server' }),
      attribute('displayName', 'string'),
      attribute('name', 'complex', { subAttributes: [attribute('formatted', 'string')] }),
      attribute('active', 'boolean'),
      attribute('emails', 'complex', { subAttributes: [attribute('value', 'string')] }),
      attribute('phoneNumbers', 'complex', { subAttributes: [attribute('value', 'string')] }),
    ],
  },
  [SCHEMAS.enterprise]: { name: 'EnterpriseUser', attributes: [attribute('department', 'string')] },
  [SCHEMAS.group]: {
    name: 'Group',
    attributes: [
      attribute('displayName', 'string', { required: true }),
      attribute('members', 'complex', { subAttributes: [attribute('value', 'string', { mutability: 'immutable' })] }),
    ],
  },
};

/** What the server can do (RFC 7643, section 5). */
export const configBody = (base: string): Json => ({
  schemas: [SCHEMAS.config],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: PAGE_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Bearer token', description: 'A token made by an administrator.', primary: true },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

export function schemasBody(base: string): Json {
  const schema = (id: string, content: Json): Json => ({
    schemas: [SCHEMAS.schema],
    id,
    ...content,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  });
  const schemas = Object.entries(SCHEMA_OF).map(([id, content]) => schema(id, content));
  return listBody(schemas, schemas.length, 1);
}

export function typesBody(base: string): Json {
  const type = (name: string, schema: string, more: Json = {}): Json => ({
    schemas: [SCHEMAS.type],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    ...more,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  });
  const extension = { schemaExtensions: [{ schema: SCHEMAS.enterprise, required: false }] };
  const types = [type('User', SCHEMAS.user, extension), type('Group', SCHEMAS.group)];
  return listBody(types, types.length, 1);
}
