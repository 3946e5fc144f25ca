import { document, documentMember, documentVersion } from '../../../src/modules/documents/tables.ts';
import { storedFile } from '../../../src/modules/files/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import { all, type Case, type Expected, type Setting } from './case-setting.ts';
import { accountOf, type AccountName } from './world.ts';

const idOf = ({ server }: Setting, name: AccountName): string => server.people.get(accountOf(name))?.id ?? '';

/** A document of the host that the member may read. */
async function newDocument(setting: Setting): Promise<string> {
  const { server, north } = setting;
  const id = newId();
  const at = server.clock.now();
  await server.db.tenant(north, async (tx) => {
    await tx.insert(document, {
      id,
      kind: 'minutes',
      title: 'Round',
      isTemplate: false,
      ownerId: idOf(setting, 'host'),
      createdAt: at,
      updatedAt: at,
      updatedBy: 'Alice',
      versionedAt: at,
    });
    await tx.insert(documentMember, { documentId: id, accountId: idOf(setting, 'member'), canWrite: false });
  });
  return id;
}

/** A template of `north`. */
async function newTemplate(setting: Setting): Promise<string> {
  const { server, north } = setting;
  const id = newId();
  const at = server.clock.now();
  await server.db.tenant(north, (tx) =>
    tx.insert(document, {
      id,
      kind: 'minutes',
      title: 'Weekly',
      isTemplate: true,
      ownerId: idOf(setting, 'tenantAdmin'),
      createdAt: at,
      updatedAt: at,
      updatedBy: 'Admin',
      versionedAt: at,
    }),
  );
  return id;
}

async function newVersion(setting: Setting): Promise<{ id: string; versionId: string }> {
  const { server, north } = setting;
  const [id, versionId] = [await newDocument(setting), newId()];
  await server.db.tenant(north, (tx) =>
    tx.insert(documentVersion, {
      id: versionId,
      documentId: id,
      name: 'Draft',
      kind: 'named',
      // A Yjs update without changes.
      data: 'AAA=',
      createdAt: server.clock.now(),
      createdBy: 'Alice',
    }),
  );
  return { id, versionId };
}

async function newPicture(setting: Setting): Promise<{ id: string; fileId: string }> {
  const { server, north } = setting;
  const [id, fileId] = [await newDocument(setting), newId()];
  const storageKey = `uploads/${newId()}`;
  await server.storage.put(storageKey, Buffer.from('picture'));
  await server.db.tenant(north, (tx) =>
    tx.insert(storedFile, {
      id: fileId,
      purpose: 'document',
      subjectId: id,
      name: 'plan.png',
      size: 7,
      sha256: '0'.repeat(64),
      kind: 'picture',
      storageKey,
      createdAt: server.clock.now(),
    }),
  );
  return { id, fileId };
}

const forRight = (member: string, ok = 'OK'): Expected => ({ host: ok, tenantAdmin: ok, member, others: 'NOT_FOUND' });
const readers = forRight('OK');
const writers = forRight('DOCUMENT_READ_ONLY');
const managers = forRight('FORBIDDEN');
const onDocument =
  (body?: object | ((setting: Setting) => object)): Case['args'] =>
  async (setting) => ({
    params: { id: await newDocument(setting) },
    ...(body && { body: typeof body === 'function' ? body(setting) : body }),
  });

export const documentCases: Record<string, Case> = {
  'documents.query': { expected: all, args: ({ world }) => ({ query: { meetId: world.meeting.meetId } }) },
  'documents.create': {
    expected: { host: 'OK', granted: 'OK', tenantAdmin: 'OK', member: 'FORBIDDEN', others: 'NOT_FOUND' },
    args: async (setting) => ({
      body: {
        kind: 'minutes',
        title: 'Round',
        meetId: setting.world.meeting.meetId,
        templateId: await newTemplate(setting),
      },
    }),
  },
  'documents.show': { expected: readers, args: onDocument() },
  'documents.update': {
    expected: managers,
    args: onDocument({ title: 'Changed', kind: 'notice', meetId: null, version: 1 }),
  },
  'documents.remove': { expected: managers, args: onDocument() },
  'documents.share': {
    expected: managers,
    args: onDocument((setting) => ({ members: [{ userId: idOf(setting, 'member'), right: 'write' }] })),
  },
  'documents.addPicture': { expected: forRight('DOCUMENT_READ_ONLY', 'INVALID_INPUT'), args: onDocument({}) },
  'documents.picture': { expected: readers, args: async (setting) => ({ params: await newPicture(setting) }) },
  'documents.versions': { expected: readers, args: onDocument() },
  'documents.keep': { expected: writers, args: onDocument({ name: 'Draft' }) },
  'documents.difference': { expected: readers, args: async (setting) => ({ params: await newVersion(setting) }) },
  'documents.restore': { expected: writers, args: async (setting) => ({ params: await newVersion(setting) }) },
  'documents.export': {
    expected: readers,
    args: async (setting) => ({ params: { id: await newDocument(setting) }, query: { format: 'docx' } }),
  },
  'documents.mail': {
    expected: forRight('DOCUMENT_READ_ONLY', 'DOCUMENT_MAIL_OFF'),
    args: onDocument((setting) => ({ userIds: [idOf(setting, 'member')] })),
  },
};
