import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_BASE, MEETING_FILE_LIMITS, UPLOAD_PATH, type Meeting } from '@rmeet/contract';
import { newId } from '../../src/platform/db/index.ts';
import { prove, send, signIn, type Person } from './support/client.ts';
import { openConference } from './support/conference.ts';
import { patch, storedDocument, storedFolder, tus } from './support/meeting-files.ts';
import { book, invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';
import { expectRefused, type Wrong } from './support/wrong-inputs.ts';

let server: TestServer;
/** Host, an invited person, a colleague without the meeting, administrators of two tenants, the platform's staff. */
let alice: Person;
let bob: Person;
let carol: Person;
let admin: Person;
let dave: Person;
let root: Person;
let meeting: Meeting;
let north: string;

beforeAll(async () => {
  server = await startTestServer();
  [alice, bob, carol, admin, dave, root] = (await Promise.all(
    ['alice', 'bob', 'carol', 'admin', 'dave', 'root'].map((name) => signIn(server, name)),
  )) as [Person, Person, Person, Person, Person, Person];
  north = server.people.get('alice')?.tenantId ?? '';
  meeting = await book(server, alice, { participants: invite(server, 'bob') });
});
afterAll(() => server.close());

const LONG = 'x'.repeat(10_000);
const invalid = (fields: string): { expected: string } => ({ expected: `INVALID_INPUT ${fields}` });
const idOf = (name: string): string => server.people.get(name)?.id ?? '';
/** A call of the people of a tenant; operators have none of them. */
const refused = (call: string, wrongs: Record<string, Wrong>, usual = alice): Promise<void> =>
  expectRefused(server, call, { usual, operator: root }, wrongs);
/** A call that operators have, too. */
const refusedToAll = (call: string, wrongs: Record<string, Wrong>, usual = admin): Promise<void> =>
  expectRefused(server, call, { usual }, wrongs);

/** Wrong ids in the path `before{id}after`, with what else is right. */
function wrongIds(before: string, after = '', good: Omit<Wrong, 'expected' | 'path' | 'who'> = {}) {
  return {
    // What is not an id is the address of nothing.
    'an id of nothing': { path: `${before}mine${after}`, ...good, expected: 'NOT_FOUND' },
    'an unknown id': { path: `${before}${newId()}${after}`, ...good, expected: 'NOT_FOUND' },
  };
}
/** What people are answered who do not have the thing at this path. */
const notTheirs = (path: string, good: Omit<Wrong, 'expected' | 'path' | 'who'> = {}) => ({
  'of another tenant': { path, ...good, who: dave, expected: 'NOT_FOUND' },
  'by a colleague without it': { path, ...good, who: carol, expected: 'NOT_FOUND' },
});

const newFile = (): Promise<string> => storedDocument(server, north, meeting.meetId, idOf('alice'));
const newFolder = (): Promise<string> => storedFolder(server, north, meeting.meetId, idOf('alice'));

describe('files of meetings', () => {
  test('GET meetingFile/list', () => {
    const query = { meetId: meeting.meetId };
    return refused('GET meetingFile/list', {
      nothing: invalid('meetId'),
      'a page of nothing': { query: { ...query, current: 0 }, ...invalid('current') },
      'too many at once': { query: { ...query, size: 100_000 }, ...invalid('size') },
      'an unknown order': { query: { ...query, sort: 'owner' }, ...invalid('sort') },
      'a long search': { query: { ...query, keyword: LONG.slice(0, 101) }, ...invalid('keyword') },
      'a folder of nothing': { query: { ...query, folderId: 'Slides' }, ...invalid('folderId') },
      'an unknown folder': { query: { ...query, folderId: newId() }, expected: 'NOT_FOUND' },
      'an unknown meeting': { query: { meetId: newId() }, expected: 'NOT_FOUND' },
      'of another tenant': { query, who: dave, expected: 'NOT_FOUND' },
      'by a colleague without it': { query, who: carol, expected: 'NOT_FOUND' },
    });
  });

  test('POST meetingFile/folder', async () => {
    const good = { meetId: meeting.meetId, name: 'Slides' };
    await alice.meetingFiles.createFolder({ body: { ...good, name: 'Taken' } });
    await refused('POST meetingFile/folder', {
      nothing: { body: {}, ...invalid('meetId name') },
      'a list': { body: [], ...invalid('body') },
      'a name of spaces': { body: { ...good, name: '  ' }, ...invalid('name') },
      'a long name': { body: { ...good, name: LONG }, ...invalid('name') },
      'a name that is taken': { body: { ...good, name: 'taken' }, expected: 'FOLDER_EXISTS' },
      'an unknown folder': { body: { ...good, parentId: newId() }, expected: 'NOT_FOUND' },
      'of another tenant': { body: good, who: dave, expected: 'NOT_FOUND' },
    });
  });

  test('PUT meetingFile/folder/{id}', async () => {
    const [id, body] = [await newFolder(), { name: 'Slides' }];
    const path = `meetingFile/folder/${id}`;
    await alice.meetingFiles.createFolder({ body: { meetId: meeting.meetId, name: 'Other' } });
    await refused('PUT meetingFile/folder/{id}', {
      ...wrongIds('meetingFile/folder/', '', { body }),
      nothing: { path, body: {}, ...invalid('name') },
      'a long name': { path, body: { name: LONG }, ...invalid('name') },
      'a name that is taken': { path, body: { name: 'OTHER' }, expected: 'FOLDER_EXISTS' },
      'by a person who did not make it': { path, body, who: bob, expected: 'FORBIDDEN' },
      ...notTheirs(path, { body }),
    });
  });

  test('DELETE meetingFile/folder/{id}', async () => {
    const path = `meetingFile/folder/${await newFolder()}`;
    await refused('DELETE meetingFile/folder/{id}', {
      ...wrongIds('meetingFile/folder/'),
      'by a person who did not make it': { path, who: bob, expected: 'FORBIDDEN' },
      ...notTheirs(path),
    });
  });

  test('POST meetingFile/upload', () => {
    const good = { meetId: meeting.meetId, name: 'plan.txt', size: 12 };
    const of = (more: object): Omit<Wrong, 'expected'> => ({ body: { ...good, ...more } });
    return refused('POST meetingFile/upload', {
      nothing: { body: {}, ...invalid('meetId name size') },
      'a negative size': { ...of({ size: -1 }), ...invalid('size') },
      'half a byte': { ...of({ size: 0.5 }), ...invalid('size') },
      'an unknown audience': { ...of({ audience: 'all' }), ...invalid('audience') },
      'an empty file': { ...of({ size: 0 }), expected: 'FILE_EMPTY' },
      'a large file': { ...of({ size: MEETING_FILE_LIMITS.bytes + 1 }), expected: 'FILE_TOO_LARGE' },
      'a program': { ...of({ name: 'setup.exe' }), expected: 'FILE_KIND_REFUSED' },
      'an unknown folder': { ...of({ folderId: newId() }), expected: 'NOT_FOUND' },
      'an unknown file': { ...of({ fileId: newId() }), expected: 'NOT_FOUND' },
      'hidden by a member': { ...of({ secretUntilStart: true }), who: bob, expected: 'FORBIDDEN' },
      'of another tenant': { ...of({}), who: dave, expected: 'NOT_FOUND' },
    });
  });

  test('PATCH, HEAD and DELETE of meetingFile/upload/{id}', async () => {
    const body = { meetId: meeting.meetId, name: 'plan.txt', size: 3 };
    const { id } = await alice.meetingFiles.startUpload({ body });
    const bytes = new Uint8Array(Buffer.from('1234'));
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
    const sent = { token: alice.token, body: bytes, headers };
    const code = async (more: Partial<typeof sent> & { headers?: Record<string, string> }, at = id) =>
      (await tus(server, 'PATCH', at, { ...sent, ...more })).code;
    expect(await code({ headers: { ...headers, 'tus-resumable': '0.2.2' } })).toBe('UPLOAD_VERSION');
    expect(await code({ headers: { ...headers, 'upload-offset': '2' } })).toBe('UPLOAD_OFFSET');
    expect(await code({ headers: { ...headers, 'upload-offset': '-1' } })).toBe('INVALID_INPUT');
    expect(await code({ headers: { ...headers, 'content-type': 'text/plain' } })).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(await code({})).toBe('BODY_TOO_LARGE');
    expect(await code({}, newId())).toBe('NOT_FOUND');
    expect(await code({ token: dave.token })).toBe('NOT_FOUND');
    expect(await code({ token: 'unknown' })).toBe('UNAUTHORIZED');
    for (const method of ['HEAD', 'DELETE'] as const) {
      expect((await tus(server, method, id, { token: bob.token })).httpStatus).toBe(404);
      expect((await tus(server, method, newId(), { token: alice.token })).httpStatus).toBe(404);
      expect((await tus(server, method, 'mine', { token: alice.token })).httpStatus).toBe(404);
      expect((await tus(server, method, id)).httpStatus).toBe(401);
    }
    expect((await patch(server, alice, id, 0, bytes.subarray(0, 3))).code).toBe('OK');
    expect((await tus(server, 'DELETE', id, { token: alice.token })).httpStatus).toBe(404);
    expect((await send(server, 'POST', UPLOAD_PATH, { token: root.token, body })).statusCode).toBe('FORBIDDEN');
  });

  test('PUT meetingFile/file/{id}', async () => {
    const path = `meetingFile/file/${await newFile()}`;
    const body = { name: 'plan.txt' };
    await refused('PUT meetingFile/file/{id}', {
      ...wrongIds('meetingFile/file/', '', { body }),
      'a name of nothing': { path, body: { name: '' }, ...invalid('name') },
      'a long name': { path, body: { name: LONG }, ...invalid('name') },
      'an unknown audience': { path, body: { audience: 'all' }, ...invalid('audience') },
      'a program': { path, body: { name: 'setup.exe' }, expected: 'FILE_KIND_REFUSED' },
      'an unknown folder': { path, body: { folderId: newId() }, expected: 'NOT_FOUND' },
      'by a person who did not send it': { path, body, who: bob, expected: 'FORBIDDEN' },
      ...notTheirs(path, { body }),
    });
  });

  test('DELETE meetingFile/file/{id}', async () => {
    const path = `meetingFile/file/${await newFile()}`;
    await refused('DELETE meetingFile/file/{id}', {
      ...wrongIds('meetingFile/file/'),
      'by a person who did not send it': { path, who: bob, expected: 'FORBIDDEN' },
      ...notTheirs(path),
    });
  });

  test('GET meetingFile/file/{id}/versions', async () =>
    refused('GET meetingFile/file/{id}/versions', {
      ...wrongIds('meetingFile/file/', '/versions'),
      ...notTheirs(`meetingFile/file/${await newFile()}/versions`),
    }));

  test('POST meetingFile/file/{id}/preview', async () =>
    refused('POST meetingFile/file/{id}/preview', {
      ...wrongIds('meetingFile/file/', '/preview'),
      ...notTheirs(`meetingFile/file/${await newFile()}/preview`),
    }));

  test('GET meetingFile/file/shown/{sign}', () =>
    expectRefused(
      server,
      'GET meetingFile/file/shown/{sign}',
      {},
      {
        'a signature of nothing': { path: 'meetingFile/file/shown/abc', expected: 'PREVIEW_EXPIRED' },
        'a long one': { path: `meetingFile/file/shown/${'x'.repeat(201)}`, expected: 'NOT_FOUND' },
      },
    ));

  test('GET meetingFile/file/download/{id}', async () => {
    const path = `meetingFile/file/download/${await newFile()}`;
    await refused('GET meetingFile/file/download/{id}', {
      ...wrongIds('meetingFile/file/download/'),
      'a version of nothing': { path, query: { version: 0 }, ...invalid('version') },
      'an unknown version': { path, query: { version: 2 }, expected: 'NOT_FOUND' },
      'an unknown ticket': { path, query: { ticket: 'abc' }, expected: 'TICKET_INVALID' },
      ...notTheirs(path),
    });
  });

  test('GET meetingFile/file/downloadDic/{id}', async () => {
    const empty = await newFolder();
    await refused('GET meetingFile/file/downloadDic/{id}', {
      ...wrongIds('meetingFile/file/downloadDic/'),
      'an empty folder': { path: `meetingFile/file/downloadDic/${empty}`, expected: 'FOLDER_EMPTY' },
      ...notTheirs(`meetingFile/file/downloadDic/${meeting.meetId}`),
    });
  });
});

describe('documents', () => {
  const good = { kind: 'minutes', title: 'Round' };
  const newDocument = async (): Promise<string> =>
    (await alice.documents.create({ body: { kind: 'minutes', title: 'Round' } })).id;

  test('GET documents/query', () =>
    refused('GET documents/query', {
      'a page of nothing': { query: { current: 0 }, ...invalid('current') },
      'of all': { query: { of: 'all' }, ...invalid('of') },
      'an unknown kind': { query: { kind: 'letter' }, ...invalid('kind') },
      'an unknown order': { query: { sort: 'owner' }, ...invalid('sort') },
      'a long search': { query: { keyword: LONG.slice(0, 101) }, ...invalid('keyword') },
      'a meeting of nothing': { query: { meetId: 'mine' }, ...invalid('meetId') },
      'of the organisation, by a user': { query: { of: 'tenant' }, expected: 'FORBIDDEN' },
      // The list of the caller's documents is filtered by it, and empty.
      'of an unknown meeting': { query: { meetId: newId() }, expected: 'OK' },
    }));

  test('POST documents/new', () =>
    refused('POST documents/new', {
      nothing: { body: {}, ...invalid('kind title') },
      'a title of spaces': { body: { ...good, title: '  ' }, ...invalid('title') },
      'a long title': { body: { ...good, title: LONG.slice(0, 121) }, ...invalid('title') },
      'an unknown kind': { body: { ...good, kind: 'letter' }, ...invalid('kind') },
      'an unknown template': { body: { ...good, templateId: newId() }, expected: 'NOT_FOUND' },
      'an unknown meeting': { body: { ...good, meetId: newId() }, expected: 'NOT_FOUND' },
      'a template by a user': { body: { ...good, isTemplate: true }, expected: 'FORBIDDEN' },
      'of a meeting by an invited person': {
        body: { ...good, meetId: meeting.meetId },
        who: bob,
        expected: 'FORBIDDEN',
      },
      'of a meeting of another tenant': { body: { ...good, meetId: meeting.meetId }, who: dave, expected: 'NOT_FOUND' },
    }));

  test('GET documents/{id}', async () =>
    refused('GET documents/{id}', { ...wrongIds('documents/'), ...notTheirs(`documents/${await newDocument()}`) }));

  test('POST documents/{id}/update', async () => {
    const body = { ...good, meetId: null, version: 1 };
    const path = `documents/${await newDocument()}/update`;
    await refused('POST documents/{id}/update', {
      ...wrongIds('documents/', '/update', { body }),
      nothing: { path, body: {}, ...invalid('title kind meetId version') },
      'a long title': { path, body: { ...body, title: LONG }, ...invalid('title') },
      'an older version': { path, body: { ...body, version: 0 }, expected: 'CHANGED_MEANWHILE' },
      'an unknown meeting': { path, body: { ...body, meetId: newId() }, expected: 'NOT_FOUND' },
      ...notTheirs(path, { body }),
    });
  });

  test('DELETE documents/{id}', async () =>
    refused('DELETE documents/{id}', { ...wrongIds('documents/'), ...notTheirs(`documents/${await newDocument()}`) }));

  test('POST documents/{id}/members', async () => {
    const body = { members: [] };
    const path = `documents/${await newDocument()}/members`;
    const with1 = (member: object) => ({ path, body: { members: [member] } });
    const many = Array.from({ length: 201 }, () => ({ userId: newId(), right: 'read' }));
    await refused('POST documents/{id}/members', {
      ...wrongIds('documents/', '/members', { body }),
      nothing: { path, body: {}, ...invalid('members') },
      'an unknown right': { ...with1({ userId: idOf('bob'), right: 'manage' }), ...invalid('members.0.right') },
      'too many': { path, body: { members: many }, ...invalid('members') },
      'an unknown person': { ...with1({ userId: newId(), right: 'read' }), expected: 'DOCUMENT_PERSON_UNKNOWN' },
      'a person of another tenant': {
        ...with1({ userId: idOf('dave'), right: 'read' }),
        expected: 'DOCUMENT_PERSON_UNKNOWN',
      },
      ...notTheirs(path, { body }),
    });
  });

  test('POST documents/{id}/pictures', async () => {
    const path = `documents/${await newDocument()}/pictures`;
    await refused('POST documents/{id}/pictures', {
      ...wrongIds('documents/', '/pictures', { body: {} }),
      'no picture': { path, body: {}, ...invalid('file') },
      ...notTheirs(path, { body: {} }),
    });
  });

  test('GET documents/{id}/pictures/{fileId}', async () => {
    const path = `documents/${await newDocument()}/pictures`;
    await refused('GET documents/{id}/pictures/{fileId}', {
      'a file of nothing': { path: `${path}/plan.png`, expected: 'NOT_FOUND' },
      'an unknown file': { path: `${path}/${newId()}`, expected: 'NOT_FOUND' },
      'an unclear wish': { path: `${path}/${newId()}`, query: { preview: 'perhaps' }, ...invalid('preview') },
      ...notTheirs(`${path}/${newId()}`),
    });
  });

  test('GET documents/{id}/versions', async () => {
    const path = `documents/${await newDocument()}/versions`;
    await refused('GET documents/{id}/versions', {
      ...wrongIds('documents/', '/versions'),
      'a page of nothing': { path, query: { current: 0 }, ...invalid('current') },
      ...notTheirs(path),
    });
  });

  test('POST documents/{id}/versions', async () => {
    const [path, body] = [`documents/${await newDocument()}/versions`, { name: 'Draft' }];
    await refused('POST documents/{id}/versions', {
      ...wrongIds('documents/', '/versions', { body }),
      nothing: { path, body: {}, ...invalid('name') },
      'a long name': { path, body: { name: LONG }, ...invalid('name') },
      ...notTheirs(path, { body }),
    });
  });

  test('GET documents/{id}/versions/{versionId}', async () => {
    const path = `documents/${await newDocument()}/versions`;
    await refused('GET documents/{id}/versions/{versionId}', {
      'a version of nothing': { path: `${path}/1`, expected: 'NOT_FOUND' },
      'an unknown version': { path: `${path}/${newId()}`, expected: 'NOT_FOUND' },
      ...notTheirs(`${path}/${newId()}`),
    });
  });

  test('POST documents/{id}/versions/{versionId}/restore', async () => {
    const path = `documents/${await newDocument()}/versions`;
    await refused('POST documents/{id}/versions/{versionId}/restore', {
      'a version of nothing': { path: `${path}/1/restore`, expected: 'NOT_FOUND' },
      'an unknown version': { path: `${path}/${newId()}/restore`, expected: 'NOT_FOUND' },
      ...notTheirs(`${path}/${newId()}/restore`),
    });
  });

  test('GET documents/{id}/export', async () => {
    const [path, query] = [`documents/${await newDocument()}/export`, { format: 'pdf' }];
    await refused('GET documents/{id}/export', {
      ...wrongIds('documents/', '/export', { query }),
      nothing: { path, ...invalid('format') },
      'an unknown format': { path, query: { format: 'html' }, ...invalid('format') },
      ...notTheirs(path, { query }),
    });
  });

  test('POST documents/{id}/mail', async () => {
    const [path, body] = [`documents/${await newDocument()}/mail`, { userIds: [idOf('bob')] }];
    await refused('POST documents/{id}/mail', {
      ...wrongIds('documents/', '/mail', { body }),
      nothing: { path, body: {}, ...invalid('userIds') },
      'to no one': { path, body: { userIds: [] }, ...invalid('userIds') },
      'a long message': { path, body: { ...body, message: LONG }, ...invalid('message') },
      'without a mail server': { path, body, expected: 'DOCUMENT_MAIL_OFF' },
      ...notTheirs(path, { body }),
    });
  });
});

describe('announcements', () => {
  const good = { title: 'Water', body: 'No water on Saturday.', aimedAt: { wholeTenant: true } };
  const newOne = async (): Promise<string> => (await admin.announcements.create({ body: good })).id;
  /** Wrong bodies, and the calls of those who may not. */
  const wrongBodies = (path: string | undefined, more: object): Record<string, Wrong> => {
    const of = (change: object) => ({ ...(path === undefined ? {} : { path }), body: { ...good, ...more, ...change } });
    return {
      'a title of spaces': { ...of({ title: ' ' }), ...invalid('title') },
      'a long title': { ...of({ title: LONG.slice(0, 121) }), ...invalid('title') },
      'a long text': { ...of({ body: LONG }), ...invalid('body') },
      'no text': { ...of({ body: ' ' }), expected: 'ANNOUNCEMENT_EMPTY' },
      'aimed at no one': { ...of({ aimedAt: {} }), ...invalid('aimedAt') },
      'no time': { ...of({ from: 'tomorrow' }), ...invalid('from') },
      'over before it begins': {
        ...of({ from: '2026-12-02T08:00:00Z', until: '2026-12-01T08:00:00Z' }),
        expected: 'ANNOUNCEMENT_TIMES',
      },
      'a script as a link': { ...of({ url: 'javascript:alert(1)' }), expected: 'ANNOUNCEMENT_LINK_REFUSED' },
      'an unknown person': { ...of({ aimedAt: { userIds: [newId()] } }), expected: 'ANNOUNCEMENT_AUDIENCE_UNKNOWN' },
      'a role of nothing': { ...of({ aimedAt: { roleIds: ['staff'] } }), ...invalid('aimedAt.roleIds.0') },
      'by a user': { ...of({}), who: alice, expected: 'FORBIDDEN' },
    };
  };

  test('GET rmeetadv/searchAdvForPersion', () =>
    refused('GET rmeetadv/searchAdvForPersion', { 'an unknown parameter': { query: { size: -1 }, expected: 'OK' } }));

  test('PUT announcements/read', () =>
    refused('PUT announcements/read', { 'a body': { body: { id: 1 }, expected: 'OK' } }));

  test('PUT announcements/{id}/read', async () => {
    const draft = `announcements/${await newOne()}/read`;
    await refused('PUT announcements/{id}/read', {
      ...wrongIds('announcements/', '/read'),
      'of a draft': { path: draft, expected: 'NOT_FOUND' },
      'of another tenant': { path: draft, who: dave, expected: 'NOT_FOUND' },
    });
  });

  test('GET announcements', () =>
    refusedToAll('GET announcements', {
      'a page of nothing': { query: { current: 0 }, ...invalid('current') },
      'an unknown status': { query: { status: 'asleep' }, ...invalid('status') },
      'a long search': { query: { keyword: LONG.slice(0, 61) }, ...invalid('keyword') },
      'by a user': { who: alice, expected: 'FORBIDDEN' },
    }));

  test('GET announcements/roles', () =>
    refusedToAll('GET announcements/roles', { 'by a user': { who: alice, expected: 'FORBIDDEN' } }));

  test('POST announcements', () =>
    refusedToAll('POST announcements', {
      nothing: { body: {}, ...invalid('title body aimedAt') },
      ...wrongBodies(undefined, {}),
    }));

  test('PUT announcements/{id}', async () => {
    const [path, body] = [`announcements/${await newOne()}`, { ...good, version: 1 }];
    await refusedToAll('PUT announcements/{id}', {
      ...wrongIds('announcements/', '', { body }),
      nothing: { path, body: {}, ...invalid('title body aimedAt version') },
      ...wrongBodies(path, { version: 1 }),
      'an older version': { path, body: { ...body, version: 0 }, expected: 'CHANGED_MEANWHILE' },
      'of another tenant': { path, body, who: dave, expected: 'NOT_FOUND' },
    });
  });

  test('POST announcements/{id}/publish', async () => {
    const published = await newOne();
    await admin.announcements.publish({ params: { id: published }, body: { version: 1 } });
    const [path, body] = [`announcements/${await newOne()}/publish`, { version: 1 }];
    await refusedToAll('POST announcements/{id}/publish', {
      ...wrongIds('announcements/', '/publish', { body }),
      nothing: { path, body: {}, ...invalid('version') },
      'an older version': { path, body: { version: 0 }, expected: 'CHANGED_MEANWHILE' },
      'a published one': {
        path: `announcements/${published}/publish`,
        body: { version: 2 },
        expected: 'ANNOUNCEMENT_PUBLISHED',
      },
      'by a user': { path, body, who: alice, expected: 'FORBIDDEN' },
      'of another tenant': { path, body, who: dave, expected: 'NOT_FOUND' },
    });
  });

  test('POST announcements/{id}/withdraw', async () => {
    const [path, body] = [`announcements/${await newOne()}/withdraw`, { version: 1 }];
    await refusedToAll('POST announcements/{id}/withdraw', {
      ...wrongIds('announcements/', '/withdraw', { body }),
      nothing: { path, body: {}, ...invalid('version') },
      'a draft': { path, body, expected: 'ANNOUNCEMENT_NOT_PUBLISHED' },
      'by a user': { path, body, who: alice, expected: 'FORBIDDEN' },
      'of another tenant': { path, body, who: dave, expected: 'NOT_FOUND' },
    });
  });

  test('DELETE announcements/{id}', async () => {
    const published = await newOne();
    await admin.announcements.publish({ params: { id: published }, body: { version: 1 } });
    const path = `announcements/${await newOne()}`;
    await refusedToAll('DELETE announcements/{id}', {
      ...wrongIds('announcements/'),
      'a published one': { path: `announcements/${published}`, expected: 'ANNOUNCEMENT_PUBLISHED' },
      'by a user': { path, who: alice, expected: 'FORBIDDEN' },
      'of another tenant': { path, who: dave, expected: 'NOT_FOUND' },
    });
  });

  test('GET announcements/{id}/readers', async () => {
    const path = `announcements/${await newOne()}/readers`;
    await refusedToAll('GET announcements/{id}/readers', {
      ...wrongIds('announcements/', '/readers'),
      'an unclear wish': { path, query: { read: 'perhaps' }, ...invalid('read') },
      'a page of nothing': { path, query: { current: 0 }, ...invalid('current') },
      'by a user': { path, who: alice, expected: 'FORBIDDEN' },
      'of another tenant': { path, who: dave, expected: 'NOT_FOUND' },
    });
  });
});

describe('client packages', () => {
  const good = { type: 3, version: '7.1', link: 'https://downloads.example.org/rmeet.exe' };
  const newPackage = async (version: string): Promise<string> =>
    (await root.clientPackages.create({ body: { ...good, version } })).id;
  beforeAll(() => prove(server, root));
  /** A call of the platform's staff. */
  const refusedToTenants = (call: string, wrongs: Record<string, Wrong>) =>
    expectRefused(server, call, { usual: root }, wrongs);
  const details = (of: (change: object) => Omit<Wrong, 'expected'>): Record<string, Wrong> => ({
    'a minimal version of nothing': { ...of({ minimalVersion: 'new' }), ...invalid('minimalVersion') },
    'a minimal version above it': { ...of({ minimalVersion: '99' }), expected: 'PACKAGE_MINIMUM_ABOVE' },
    'long notes': { ...of({ notes: LONG }), ...invalid('notes') },
    'an unknown roll-out': { ...of({ rollout: { kind: 'some' } }), ...invalid('rollout.kind') },
    'a roll-out to all in percent': {
      ...of({ rollout: { kind: 'percent', percent: 100 } }),
      ...invalid('rollout.percent'),
    },
    'a roll-out to no tenant': {
      ...of({ rollout: { kind: 'tenants', tenantIds: [] } }),
      ...invalid('rollout.tenantIds'),
    },
    'a roll-out to an unknown tenant': {
      ...of({ rollout: { kind: 'tenants', tenantIds: [newId()] } }),
      expected: 'ROLLOUT_TENANT_UNKNOWN',
    },
    'by an administrator of a tenant': { ...of({}), who: admin, expected: 'FORBIDDEN' },
  });
  const described = (of: (change: object) => Omit<Wrong, 'expected'>): Record<string, Wrong> => ({
    'an unknown type': { ...of({ type: 7 }), ...invalid('type') },
    'a version of letters': { ...of({ version: '7.1-beta' }), ...invalid('version') },
    ...details(of),
  });

  test('GET client-packages', () =>
    expectRefused(
      server,
      'GET client-packages',
      {},
      {
        'a long address': { query: { url: `https://${LONG.slice(0, 1_200)}` }, ...invalid('url') },
        'an unknown address': { query: { url: 'https://example.org/other.exe' }, expected: 'OK' },
      },
    ));

  test('GET client-packages/file/{id}', async () => {
    const id = await newPackage('7.0.1');
    await expectRefused(
      server,
      'GET client-packages/file/{id}',
      {},
      {
        ...wrongIds('client-packages/file/'),
        'of a package with a link': { path: `client-packages/file/${id}`, expected: 'NOT_FOUND' },
      },
    );
  });

  test('GET client-packages/query', () =>
    refusedToTenants('GET client-packages/query', {
      'a page of nothing': { query: { current: 0 }, ...invalid('current') },
      'an unknown type': { query: { type: 7 }, ...invalid('type') },
      'an unknown state': { query: { state: 'asleep' }, ...invalid('state') },
      'by an administrator of a tenant': { who: admin, expected: 'FORBIDDEN' },
    }));

  test('POST client-packages/check', async () => {
    await newPackage('7.0.2');
    const { link: _, ...body } = good;
    await refusedToTenants('POST client-packages/check', {
      nothing: { body: {}, ...invalid('type version') },
      ...described((change) => ({ body: { ...body, ...change } })),
      'a version that is taken': { body: { ...body, version: '7.0.2.0' }, expected: 'PACKAGE_VERSION_TAKEN' },
    });
  });

  test('POST client-packages', async () => {
    await newPackage('7.0.3');
    await refusedToTenants('POST client-packages', {
      nothing: { body: {}, ...invalid('type version') },
      ...described((change) => ({ body: { ...good, ...change } })),
      'neither file nor link': { body: { ...good, link: null }, expected: 'PACKAGE_SOURCE_REQUIRED' },
      'a link without https': { body: { ...good, link: 'http://example.org/a.exe' }, ...invalid('link') },
      'a script as a link': { body: { ...good, link: 'javascript:alert(1)' }, ...invalid('link') },
      'a version that is taken': { body: { ...good, version: '7.0.3' }, expected: 'PACKAGE_VERSION_TAKEN' },
    });
  });

  test('PUT client-packages/{id}', async () => {
    const path = `client-packages/${await newPackage('7.0.4')}`;
    const body = { notes: 'New', edition: 1 };
    await refusedToTenants('PUT client-packages/{id}', {
      ...wrongIds('client-packages/', '', { body }),
      nothing: { path, body: {}, ...invalid('edition') },
      ...details((change) => ({ path, body: { ...body, ...change } })),
      'an older edition': { path, body: { ...body, edition: 0 }, expected: 'CHANGED_MEANWHILE' },
    });
  });

  test('POST client-packages/{id}/withdraw', async () => {
    const [path, body] = [`client-packages/${await newPackage('7.0.5')}/withdraw`, { withdrawn: true }];
    await refusedToTenants('POST client-packages/{id}/withdraw', {
      ...wrongIds('client-packages/', '/withdraw', { body }),
      nothing: { path, body: {}, ...invalid('withdrawn') },
      'by an administrator of a tenant': { path, body, who: admin, expected: 'FORBIDDEN' },
    });
  });

  test('DELETE client-packages/{id}', async () => {
    const path = `client-packages/${await newPackage('7.0.6')}`;
    await refusedToTenants('DELETE client-packages/{id}', {
      ...wrongIds('client-packages/'),
      'a published one': { path, expected: 'PACKAGE_PUBLISHED' },
      'by an administrator of a tenant': { path, who: admin, expected: 'FORBIDDEN' },
    });
  });
});

describe('host keys', () => {
  test('GET meetings/getHostZak', () => {
    const query = { numericId: meeting.numericId };
    return refused('GET meetings/getHostZak', {
      nothing: invalid('numericId'),
      'a number of letters': { query: { numericId: 'mine' }, ...invalid('numericId') },
      'an unknown number': { query: { numericId: '100000001' }, expected: 'NOT_FOUND' },
      'by an invited person': { query, who: bob, expected: 'FORBIDDEN' },
      'by a colleague without it': { query, who: carol, expected: 'NOT_FOUND' },
      'of another tenant': { query, who: dave, expected: 'NOT_FOUND' },
    });
  });

  test('POST meetings/startByZak', async () => {
    const { numericId } = meeting;
    const good = { numericId, zak: 'n3ZcQx1YzP0c' };
    await expectRefused(
      server,
      'POST meetings/startByZak',
      {},
      {
        nothing: { body: {}, ...invalid('numericId zak') },
        'a number of letters': { body: { ...good, numericId: 'mine' }, ...invalid('numericId') },
        'a long key': { body: { ...good, zak: LONG }, ...invalid('zak') },
        'a long name': { body: { ...good, name: LONG }, ...invalid('name') },
        'a long device': { body: { ...good, deviceId: LONG }, ...invalid('deviceId') },
        'an unknown device': { body: { ...good, deviceType: 999 }, ...invalid('deviceType') },
        'an unknown key': { body: good, expected: 'HOST_KEY_INVALID' },
      },
    );
    const { zak } = await alice.hostKeys.getHostZak({ query: { numericId } });
    const other = await book(server, alice);
    const body = { numericId: other.numericId, zak };
    await expectRefused(
      server,
      'POST meetings/startByZak',
      {},
      {
        'the key of another meeting': { body, expected: 'HOST_KEY_INVALID' },
      },
    );
  });
});

describe('the assistant', () => {
  const session = { type: 1, channelResource: 'itbot' };
  beforeAll(async () => {
    const entry = (await root.permissions.tree()).find(({ code, type }) => code === 'sys:itbotEntrance' && type === 2);
    const params = { id: idOf('alice') };
    const grants = await admin.users.grants({ params, query: {} });
    const permissionIds = [...grants.permissionIds, entry?.id ?? ''];
    await admin.users.setGrants({ params, body: { ...grants, permissionIds } });
  });
  /** The call of a person with the right. */
  const refusedToUsers = (call: string, wrongs: Record<string, Wrong>) =>
    refused(call, { ...wrongs, 'by a person without the right': { who: bob, expected: 'FORBIDDEN' } });

  test('POST assistant/session', () =>
    refusedToUsers('POST assistant/session', {
      nothing: { body: {}, ...invalid('type channelResource') },
      'another type': { body: { ...session, type: 2 }, ...invalid('type') },
      'another channel': { body: { ...session, channelResource: 'other' }, ...invalid('channelResource') },
    }));

  test('GET assistant/about', () =>
    refusedToUsers('GET assistant/about', { 'an unknown parameter': { query: { x: 1 }, expected: 'OK' } }));

  test('POST assistant/ask', () => {
    const turn = { question: 'Why?', answer: 'So.' };
    return refusedToUsers('POST assistant/ask', {
      nothing: { body: {}, ...invalid('question') },
      'a question of spaces': { body: { question: '  ' }, ...invalid('question') },
      'a long question': { body: { question: LONG }, ...invalid('question') },
      'a long conversation': {
        body: { question: 'Why?', turns: Array.from({ length: 7 }, () => turn) },
        ...invalid('turns'),
      },
      'a long time zone': { body: { question: 'Why?', timeZone: LONG }, ...invalid('timeZone') },
    });
  });

  test('POST assistant/hand-over', () =>
    refusedToUsers('POST assistant/hand-over', {
      nothing: { body: {}, ...invalid('question') },
      'an unknown kind': { body: { kind: 'praise', question: 'Hello' }, ...invalid('kind') },
      'without a service desk': { body: { question: 'I hear an echo.' }, expected: 'ASSISTANT_DESK_MISSING' },
    }));

  test('GET assistant/settings', () =>
    refused('GET assistant/settings', { 'by a user': { who: alice, expected: 'FORBIDDEN' } }, admin));

  test('PUT assistant/settings', async () => {
    await prove(server, admin);
    const good = { answers: 'manual', deskMail: '', modelUrl: '', modelName: '', pageUrl: '', version: 0 };
    const of = (change: object) => ({ body: { ...good, ...change } });
    await refused(
      'PUT assistant/settings',
      {
        nothing: { body: {}, ...invalid('answers deskMail modelUrl modelName pageUrl version') },
        'an unknown way': { ...of({ answers: 'oracle' }), ...invalid('answers') },
        'no mail address': { ...of({ deskMail: 'desk' }), ...invalid('deskMail') },
        'a file as a model': { ...of({ modelUrl: 'file:///etc/passwd' }), ...invalid('modelUrl') },
        'a key with a line break': { ...of({ modelKey: 'a\nb' }), ...invalid('modelKey') },
        'an address inside the network': {
          ...of({ answers: 'model', modelUrl: 'http://10.0.0.1/v1', modelName: 'small' }),
          expected: 'ASSISTANT_ADDRESS_REFUSED',
        },
        'a model without its address': { ...of({ answers: 'model' }), expected: 'ASSISTANT_MODEL_MISSING' },
        'a page without its address': { ...of({ answers: 'page' }), expected: 'ASSISTANT_PAGE_MISSING' },
        'a later version': { ...of({ version: 7 }), expected: 'CHANGED_MEANWHILE' },
        'by a user': { ...of({}), who: alice, expected: 'FORBIDDEN' },
      },
      admin,
    );
  });

  test('POST assistant/settings/test', () =>
    refused(
      'POST assistant/settings/test',
      {
        'without a model': { expected: 'ASSISTANT_MODEL_MISSING' },
        'by a user': { who: alice, expected: 'FORBIDDEN' },
      },
      admin,
    ));
});

describe('statistics', () => {
  const good = { from: '2026-11-01', to: '2026-11-30' };
  /** `unit`: the call has one, which a period of such length does not fit. */
  const periods = (more: Record<string, string> = {}, unit = ''): Record<string, Wrong> => ({
    'no day': { query: { ...good, ...more, from: 'yesterday' }, ...invalid(`from to${unit}`) },
    'a day that is none': { query: { ...good, ...more, to: '2026-02-30' }, ...invalid('to') },
    'the last day before the first': { query: { ...good, ...more, to: '2026-10-01' }, ...invalid('to') },
    'ten years': { query: { ...good, ...more, from: '2016-01-01' }, ...invalid(`to${unit}`) },
    'an unknown type': { query: { ...good, ...more, type: 'PARTY' }, ...invalid('type') },
    'a tenant of nothing': { query: { ...good, ...more, tenantId: 'north' }, ...invalid('tenantId') },
    'by a user': { query: { ...good, ...more }, who: alice, expected: 'FORBIDDEN' },
  });
  const units: Record<string, Wrong> = {
    'an unknown unit': { query: { ...good, unit: 'year' }, ...invalid('unit') },
    'three years by day': { query: { ...good, from: '2023-11-01' }, ...invalid('unit') },
  };

  const series = (): Record<string, Wrong> => ({ nothing: invalid('from to'), ...periods({}, ' unit'), ...units });

  test('GET statistics/query', () => refusedToAll('GET statistics/query', series()));
  test('GET statistics/export', () => refusedToAll('GET statistics/export', series()));
  test('GET /api/reports/statistics.csv', () => refusedToAll('GET /api/reports/statistics.csv', series()));

  test('GET statistics/breakdown', () =>
    refusedToAll('GET statistics/breakdown', {
      nothing: invalid('from to by'),
      ...periods({ by: 'type' }),
      'by nothing known': { query: { ...good, by: 'colour' }, ...invalid('by') },
    }));

  test('GET statistics/meetings', () =>
    refusedToAll('GET statistics/meetings', {
      nothing: invalid('from to'),
      ...periods(),
      'a page of nothing': { query: { ...good, current: 0 }, ...invalid('current') },
    }));

  test('GET statistics/report', () =>
    refusedToAll('GET statistics/report', { nothing: invalid('from to'), ...periods() }));

  test('GET statistics/settings', () =>
    refusedToAll('GET statistics/settings', { 'by a user': { who: alice, expected: 'FORBIDDEN' } }));

  test('PUT statistics/settings', () => {
    const settings = { timeZone: 'Asia/Shanghai', recipients: [], locale: 'zh', version: 0 };
    const of = (change: object) => ({ body: { ...settings, ...change } });
    return refusedToAll('PUT statistics/settings', {
      nothing: { body: {}, ...invalid('timeZone recipients locale version') },
      'an unknown zone': { ...of({ timeZone: 'Mars/Base' }), ...invalid('timeZone') },
      'no mail address': { ...of({ recipients: ['desk'] }), ...invalid('recipients.0') },
      'too many addresses': {
        ...of({ recipients: Array.from({ length: 21 }, (_, i) => `a${i}@example.org`) }),
        ...invalid('recipients'),
      },
      'another language': { ...of({ locale: 'fr' }), ...invalid('locale') },
      'a later version': { ...of({ version: 7 }), expected: 'CHANGED_MEANWHILE' },
      'by a user': { ...of({}), who: alice, expected: 'FORBIDDEN' },
    });
  });

  test('POST statistics/recount', async () => {
    const path = `${API_BASE}/statistics/recount`;
    await refusedToAll('POST statistics/recount', {
      nothing: { body: {}, ...invalid('from to') },
      'two years': { body: { from: '2024-11-01', to: '2026-11-30' }, ...invalid('to') },
      'the last day before the first': { body: { ...good, to: '2026-10-01' }, ...invalid('to') },
      'by a user': { body: good, who: alice, expected: 'FORBIDDEN' },
    });
    expect((await send(server, 'POST', path, { token: root.token, body: good })).statusCode).toBe('TENANT_REQUIRED');
  });
});

describe('the export of a record', () => {
  test('GET meetings/history/export/{id}', async () => {
    const room = await openConference(server, alice, { participants: invite(server, 'bob') });
    await room.join(alice);
    const running = (await room.row()).id;
    await refused('GET meetings/history/export/{id}', {
      ...wrongIds('meetings/history/export/'),
      // Its record up to now.
      'of a meeting that is not over': { path: `meetings/history/export/${running}`, expected: 'OK' },
      ...notTheirs(`meetings/history/export/${running}`),
    });
  });
});
