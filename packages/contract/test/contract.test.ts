import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  ACCOUNT_ROLES,
  COMMON_ERRORS,
  contract,
  ERROR_CODES,
  errorEntry,
  errorMessage,
  openApi,
  permissionDefinition,
  type ErrorCode,
  type Route,
  type Routes,
} from '../src/index.ts';

const domains: Record<string, Routes> = contract;
const routes: [string, Route][] = Object.entries(domains).flatMap(([domain, list]) =>
  Object.entries(list).map(([name, route]): [string, Route] => [`${domain}.${name}`, route]),
);

describe.each(routes)('%s', (id, route) => {
  test('declares who may call it', () => {
    expect(route.callers.length).toBeGreaterThan(0);
    expect(new Set(route.callers).size).toBe(route.callers.length);
  });

  test('has the same parameters in its path and in its schema', () => {
    const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const schema = route.input.params;
    const declared = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    expect(new Set(declared)).toEqual(new Set(named));
  });

  test('has an example that its own schemas accept', () => {
    for (const part of ['params', 'query', 'body'] as const) {
      const schema = route.input[part];
      if (schema) expect(schema.safeParse(route.example[part] ?? {}).error, part).toBeUndefined();
      else expect(route.example[part], part).toBeUndefined();
    }
    expect(route.data.safeParse(route.example.data).error).toBeUndefined();
  });

  test('names only its own errors', () => {
    for (const code of route.errors) {
      expect(ERROR_CODES).toContain(code);
      expect(COMMON_ERRORS).not.toContain(code);
    }
  });

  test('requires permissions only of accounts, and only ones they can have', () => {
    const { permission, callers } = route;
    if (!permission) return;
    expect(callers).not.toContain('anyone');
    expect(callers).not.toContain('terminal');
    const { grantableTo } = permissionDefinition(permission);
    for (const kind of callers as readonly ('user' | 'operator')[]) {
      const brings = Object.values(ACCOUNT_ROLES).some(
        ({ of, codes }) => of === kind && (codes as readonly string[]).includes(permission),
      );
      expect(brings || grantableTo.includes(kind), kind).toBe(true);
    }
  });

  test('records every change by an account', () => {
    const exempt = [
      'auth.login',
      'auth.logout',
      'auth.handover',
      'auth.ticketToToken',
      // Sign-ins, and a new password by a code, which is recorded in the name of its account.
      'scanLogon.getAuthQr',
      'scanLogon.authExecute',
      'scanLogon.login',
      'scanLogon.scan',
      'scanLogon.answer',
      'sso.start',
      'sso.verifyToToken',
      'sso.startLink',
      'sso.backchannelLogout',
      'sso.samlAnswer',
      'sso.casLogout',
      'certs.verifyToToken',
      'certs.startBind',
      'invitations.read',
      'invitations.accept',
      // Read or try something elsewhere.
      'assistant.session',
      'assistant.ask',
      'identityProviders.check',
      'identityProviders.readSamlMetadata',
      'directories.test',
      // Record each account that they change.
      'userTasks.import',
      'userTasks.change',
      'userTasks.cancel',
      'multiauth.startEnrolment',
      'multiauth.startTotp',
      'multiauth.prove',
      'passkeys.startAdding',
      'passkeys.startProof',
      'passkeys.prove',
      'passkeys.startSignIn',
      'passkeys.signIn',
      'passkeys.startFactor',
      'passkeys.startEnrolment',
      'passkeys.checkFactor',
      'hrsms.login',
      'hrsms.setPassword',
      'downloads.ticket',
      'clientPackages.check',
      // An entry into a meeting, which is in the log of its commands.
      'hostKeys.startByZak',
      'users.lookup',
      'conferences.join',
      'conferences.lookUp',
      'conferences.checkConnection',
      'conferences.enter',
      'conferences.leave',
      'conferences.hand',
      'conferences.chat',
      // In the document's versions.
      'documents.addPicture',
      'documents.keep',
      'conferences.react',
      'conferences.selfUnmute',
      'conferences.castBallot',
      'conferences.knock',
      'conferences.answerRing',
      'conferences.openDesk',
      'conferences.getMediaStreamInfo',
      'conferences.migrate',
      'conferences.confTopo',
      'rooms.occupancy',
      'booking.busy',
      'series.preview',
      'notices.markRead',
      'notices.markAllRead',
      'notices.clear',
      'notices.clearRead',
      'notices.previewText',
      // Marks of the reader, and when release notes are shown again.
      'announcements.markRead',
      'announcements.markAllRead',
      'memo.saveRemindMemo',
      'setup.begin',
      'setup.checkMedia',
      // A search, and addresses of media: watching is no change.
      'recordings.searchRecord',
      'recordings.playback',
      'recordings.openShare',
      'recordings.sharedPlayback',
      // Watching is no change; messages of viewers are kept with the broadcast, and what moderators do is audited.
      'watch.open',
      'watch.openSignedIn',
      'watch.state',
      'watch.say',
      'watch.leave',
      // A preference of the browser.
      'webPush.subscribe',
      'webPush.unsubscribe',
      // An address at which a file is shown: reading is no change.
      'meetingFiles.preview',
      // A search whose filters are in its body.
      'manualLives.query',
    ];
    if (route.method !== 'GET' && !exempt.includes(id)) expect(route.audit).toBe(true);
  });

  test('requires a permission for a change, except for own and granted objects', () => {
    const own = [
      'users.updateSelf',
      'users.changePassword',
      'users.endSession',
      'booking.createGroup',
      'booking.updateGroup',
      'booking.removeGroup',
      'whiteList.write',
      'rooms.checkIn',
      'rooms.release',
      'resources.assign',
      'notices.resend',
      // Of meetings that the caller hosts or may stand in for, and own files.
      'documents.create',
      'documents.update',
      'documents.remove',
      'documents.share',
      'documents.addPicture',
      'documents.keep',
      'documents.restore',
      'documents.mail',
      'recordings.grantRecordIds',
      'recordings.change',
      'recordings.remove',
      'recordings.restore',
      'recordings.startExport',
      'recordings.cancelExport',
      'recordings.share',
      'recordings.unshare',
      'broadcasts.change',
      'broadcasts.moderate',
      // Of the own account.
      'apiRecords.grantOwn',
      'apiRecords.endOwnGrant',
      'sso.link',
      'sso.unlink',
      'certs.bind',
      'certs.unbind',
      'multiauth.addTotp',
      'multiauth.removeTotp',
      'multiauth.renewRecovery',
      'multiauth.setSignInMail',
      'multiauth.forgetDevice',
      'passkeys.add',
      'passkeys.rename',
      'passkeys.remove',
    ];
    if (
      !route.audit ||
      !route.callers.some((caller) => caller === 'user' || caller === 'operator') ||
      /^(?:meetings|guests|conferences)\./.test(id)
    )
      return;
    expect(route.permission === undefined).toBe(own.includes(id));
  });

  test('limits calls that allow guessing', () => {
    if (route.method === 'POST' && route.callers.includes('anyone')) expect(route.limit).toBeDefined();
  });
});

test('no two routes have the same method and path', () => {
  const keys = routes.flatMap(([, route]) =>
    [route.path, ...(route.aliases ?? [])].map((path) => `${route.method} ${path.replace(/:\w+/g, ':')}`),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

test('every error has a status and a sentence in both languages', () => {
  for (const code of ERROR_CODES) {
    const { httpStatus, zh, en } = errorEntry(code);
    expect(httpStatus, code).toBeGreaterThanOrEqual(400);
    expect(zh, code).toMatch(/[\u4e00-\u9fff]/);
    expect(en, code).toMatch(/^[A-Z{].*[.!]$/);
    const places = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    for (const name of places(zh)) expect(places(en), code).toContain(name);
  }
});

test('every error is used by a route or by all', () => {
  const used = new Set([...COMMON_ERRORS, ...routes.flatMap(([, route]) => route.errors)]);
  const raisedElsewhere = new Set<ErrorCode>([
    'TICKET_INVALID',
    'TERMINAL_REMOVED',
    'DOCUMENT_CHANGE_REFUSED',
    // The upload protocol, which is not a route.
    'UPLOAD_OFFSET',
    'UPLOAD_VERSION',
    'UPLOAD_BROKEN',
  ]);
  expect(ERROR_CODES.filter((code) => !used.has(code) && !raisedElsewhere.has(code))).toEqual([]);
});

test('error sentences are filled with parameters', () => {
  expect(errorMessage('MEETING_FULL', 'en', { limit: 30 })).toBe(
    'The meeting is full (30 people). Please ask its host.',
  );
});

test('the OpenAPI document has every route once, with its callers', () => {
  const document = openApi(domains, '1') as {
    paths: Record<string, Record<string, { operationId: string; 'x-callers': string[] }>>;
  };
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ids = operations.map((operation) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [id, route] of routes) {
    const operation = operations.find((candidate) => candidate.operationId === id);
    expect(operation?.['x-callers'], id).toEqual(route.callers);
  }
});

test('the OpenAPI document separates files from envelopes, and describes failures of fields', () => {
  const document = openApi(domains, '1') as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content: Record<string, { schema: { properties?: object } }> }> }>
    >;
  };
  for (const [id, route] of routes) {
    const { responses } = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()] ?? {
      responses: {},
    };
    expect(Object.keys(responses['200']?.content ?? {}), id).toEqual([
      route.download ? 'application/octet-stream' : 'application/json',
    ]);
    expect(Object.keys(responses['400']?.content['application/json']?.schema.properties ?? {}), id).toContain('fields');
  }
});

test.each([
  ['contract', ['zod', '@rmeet/conference']],
  ['conference', ['zod']],
])('%s imports only %j', (name, allowed) => {
  const folder = join(import.meta.dirname, '..', '..', name, 'src');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  )) {
    const imports = [...readFileSync(join(folder, file), 'utf8').matchAll(/from '([^'.][^']*)'/g)].map(
      ([, imported = '']) => imported,
    );
    expect(
      imports.filter((imported) => !allowed.includes(imported)),
      file,
    ).toEqual([]);
  }
});
