import { z } from 'zod';
import { API_SCOPES, TOKEN_PATH } from '../accounts/api-scopes.ts';
import { LOCALES } from '../constants.ts';
import { COMMON_ERRORS, errorEntry } from '../errors.ts';
import type { Route, Routes } from './route.ts';

type Json = Record<string, unknown>;

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const json = schemaOf(schema, 'input');
  const required = (json['required'] as string[] | undefined) ?? [];
  return Object.entries(json['properties'] as Json).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }));
}

const texts: Json = { type: 'object', additionalProperties: { type: 'string' } };

function envelopeOf(data: Json): Json {
  return {
    type: 'object',
    required: ['status', 'data', 'statusCode', 'message'],
    properties: { status: { type: 'boolean' }, data, statusCode: { type: 'string' }, message: { type: 'string' } },
  };
}

/**
 * The schema of a failure: its sentence in every language, what is wrong per field, and what a page needs to describe
 * it (envelope.ts).
 */
function failureOf(): Json {
  const messages = {
    type: 'object',
    properties: Object.fromEntries(LOCALES.map((locale) => [locale, { type: 'string' }])),
  };
  const envelope = envelopeOf({});
  return { ...envelope, properties: { ...(envelope['properties'] as Json), messages, fields: texts, details: texts } };
}

/** A file if the route returns one, else the envelope. */
function contentOf({ data, download, example }: Route): Json {
  if (download) return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  return {
    'application/json': {
      schema: envelopeOf(schemaOf(data, 'output')),
      example: { status: true, data: example.data, statusCode: 'OK', message: '' },
    },
  };
}

/** The request body: JSON, or for a route with files a form that contains this JSON and the files. */
function requestBodyOf({ input, multipart, example }: Route): Json {
  if (!input.body) return {};
  const json = { schema: schemaOf(input.body, 'input'), example: example.body };
  const form = {
    schema: {
      type: 'object',
      required: ['meeting'],
      properties: { meeting: json.schema, file: { type: 'array', items: { type: 'string', format: 'binary' } } },
    },
    encoding: { meeting: { contentType: 'application/json' } },
  };
  return {
    requestBody: {
      required: true,
      content: { ...(multipart ? { 'multipart/form-data': form } : {}), 'application/json': json },
    },
  };
}

/** Who may call a route: anyone, accounts, and API clients with its scope. */
function securityOf({ callers, scope }: Route): Json[] {
  if (callers.includes('anyone')) return [];
  return [{ token: [] }, ...(scope === undefined ? [] : [{ client: [scope] }])];
}

/** The token endpoint of API clients (RFC 6749, section 4.4), which is not a route of the contract. */
function tokenOperation(): Json {
  const text = { type: 'string' };
  const fields = {
    grant_type: { type: 'string', const: 'client_credentials' },
    scope: { ...text, description: 'Scopes, separated by spaces; by default all of the client.' },
    subject: { ...text, description: 'Account name or id of a user who has allowed the client to act for them.' },
    client_id: text,
    client_secret: text,
    client_assertion_type: {
      type: 'string',
      const: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      description: 'With client_assertion, a JWT signed by the client (RFC 7523).',
    },
    client_assertion: text,
  };
  const failure = {
    type: 'object',
    required: ['error'],
    properties: { error: text, error_description: text },
  };
  const json = (schema: Json, example?: Json) => ({ 'application/json': { schema, ...(example && { example }) } });
  return {
    operationId: 'oauth.token',
    summary:
      'An access token for an API client (RFC 6749, section 4.4), for an hour. The client proves who it is by HTTP ' +
      'Basic, client_secret or client_assertion. Answers the JSON of that RFC, without the envelope.',
    tags: ['oauth'],
    'x-callers': ['anyone'],
    security: [{ basic: [] }, {}],
    parameters: [],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: { type: 'object', required: ['grant_type'], properties: fields },
          example: { grant_type: 'client_credentials', scope: 'meetings:read' },
        },
      },
    },
    responses: {
      200: {
        description: 'OK',
        content: json(
          {
            type: 'object',
            required: ['access_token', 'token_type', 'expires_in', 'scope'],
            properties: { access_token: text, token_type: text, expires_in: { type: 'integer' }, scope: text },
          },
          { access_token: 'rma_n3ZcQx1YzP0c', token_type: 'Bearer', expires_in: 3_600, scope: 'meetings:read' },
        ),
      },
      400: { description: 'invalid_request, invalid_grant, invalid_scope', content: json(failure) },
      401: { description: 'invalid_client', content: json(failure) },
      429: { description: 'Too many requests', content: json(failure) },
    },
  };
}

function operationOf(id: string, route: Route): Json {
  const failures = new Map<number, string[]>();
  for (const code of [...COMMON_ERRORS, ...route.errors]) {
    const { httpStatus } = errorEntry(code);
    failures.set(httpStatus, [...(failures.get(httpStatus) ?? []), code]);
  }
  const responses: Json = { 200: { description: 'OK', content: contentOf(route) } };
  for (const [status, codes] of failures) {
    responses[status] = { description: codes.join(', '), content: { 'application/json': { schema: failureOf() } } };
  }
  return {
    operationId: id,
    summary: route.summary,
    tags: [id.split('.')[0]],
    'x-callers': route.callers,
    ...(route.permission ? { 'x-permission': route.permission } : {}),
    ...(route.scope ? { 'x-scope': route.scope } : {}),
    security: securityOf(route),
    parameters: [...parametersOf(route.input.params, 'path'), ...parametersOf(route.input.query, 'query')],
    ...requestBodyOf(route),
    responses,
  };
}

/** The OpenAPI 3.1 document of all domains, served at /api/openapi.json. */
export function openApi(domains: Record<string, Routes>, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [domain, routes] of Object.entries(domains)) {
    for (const [name, route] of Object.entries(routes)) {
      for (const path of [route.path, ...(route.aliases ?? [])]) {
        const key = path.replace(/:(\w+)/g, '{$1}');
        const id = path === route.path ? `${domain}.${name}` : `${domain}.${name}Alias`;
        (paths[key] ??= {})[route.method.toLowerCase()] = operationOf(id, route);
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Rmeet', version },
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'authorization' },
        basic: { type: 'http', scheme: 'basic' },
        client: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: TOKEN_PATH,
              scopes: Object.fromEntries(API_SCOPES.map((scope) => [scope, scope])),
            },
          },
        },
      },
    },
    paths: { [TOKEN_PATH]: { post: tokenOperation() }, ...paths },
  };
}
