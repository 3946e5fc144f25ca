import type { contract, Data, DocumentDetail, Input } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import { encodeStateAsUpdate } from 'yjs';
import { openDocument, readDocument, writeDocument } from '@rmeet/documents';
import { allOf } from '../../platform/db/conditions.ts';
import { newId, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { findAccounts } from '../accounts/users/index.ts';
import { changed, recordAudit } from '../audit/index.ts';
import { removeFilesOf } from '../files/index.ts';
import { manageMeeting } from '../meetings/index.ts';
import { documentFor } from './access.ts';
import { copyPictures } from './pictures.ts';
import { pageOf, presentDocument, presentDocuments } from './present.ts';
import { findTemplate, listDocuments } from './repo.ts';
import { announce, appendUpdate, loadDocument } from './store.ts';
import { document, documentMember, type DocumentTableRow } from './tables.ts';

type Calls = typeof contract.documents;
type UserContext = Context<UserCaller>;

export interface DocumentDeps {
  db: Db;
  storage: Storage;
  now: () => Date;
}

const targetOf = ({ id, title }: DocumentTableRow) => ({ kind: 'document', id, name: title });

/** Accounts of the organisation that can be chosen. @throws AppError DOCUMENT_PERSON_UNKNOWN */
export async function peopleOf(tx: TenantTx, ids: readonly string[]) {
  const people = await findAccounts(tx, [...new Set(ids)]);
  const known = people.filter(({ kind, enabled, deletedAt }) => kind === 'user' && enabled && deletedAt === null);
  if (known.length !== new Set(ids).size) throw new AppError('DOCUMENT_PERSON_UNKNOWN');
  return known;
}

/** Documents: lists, details and who may do what. Their content is edited on the socket (rooms.ts). */
// oxlint-disable-next-line max-lines-per-function -- short methods of one resource
export function createDocumentService({ db, storage, now }: DocumentDeps) {
  /** The first content of a document made from a template. */
  async function fill(tx: TenantTx, row: DocumentTableRow, templateId: string, by: UserCaller): Promise<void> {
    const template = await findTemplate(tx, templateId);
    if (!template) throw new AppError('NOT_FOUND');
    const content = readDocument((await loadDocument(tx, template.id)).doc);
    const doc = openDocument([]);
    writeDocument(doc, await copyPictures(tx, storage, content, { from: template.id, to: row.id }, now()));
    await appendUpdate(tx, row, encodeStateAsUpdate(doc), { by: by.name, now: now() });
  }

  return {
    query: ({ caller }: UserContext, query: Input<Calls['query']>['query']): Promise<Data<Calls['query']>> => {
      if (query.of === 'tenant' && !caller.isTenantAdmin) throw new AppError('FORBIDDEN');
      return db.tenant(caller.tenantId, async (tx) => {
        const found = await listDocuments(tx, caller, query);
        return pageOf({ ...found, rows: await presentDocuments(tx, caller, found.rows) }, query, (one) => one);
      });
    },

    /** @throws AppError NOT_FOUND */
    show: ({ caller }: UserContext, id: string): Promise<DocumentDetail> =>
      db.tenant(caller.tenantId, async (tx) =>
        presentDocument(tx, caller, (await documentFor(tx, caller, id, 'read')).row),
      ),

    /** @throws AppError NOT_FOUND for an unknown template or meeting, FORBIDDEN if the caller may not */
    create: (context: UserContext, body: Input<Calls['create']>['body']): Promise<DocumentDetail> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const { caller } = context;
        const { kind, title, isTemplate, templateId, meetId } = body;
        if (isTemplate && !caller.isTenantAdmin) throw new AppError('FORBIDDEN');
        if (isTemplate && meetId !== undefined) throw new AppError('INVALID_INPUT', {}, { meetId: 'template' });
        if (meetId !== undefined) await manageMeeting(tx, meetId, caller, { lock: false });
        const at = now();
        const [row] = await tx.insert(document, {
          id: newId(),
          kind,
          title,
          isTemplate,
          ownerId: caller.userId,
          meetingId: meetId ?? null,
          createdAt: at,
          updatedAt: at,
          updatedBy: caller.name,
          versionedAt: at,
        });
        if (!row) throw new Error('The new document was not stored.');
        if (templateId !== undefined) await fill(tx, row, templateId, caller);
        await recordAudit(tx, context, at, { target: targetOf(row), after: { title, kind, isTemplate } });
        return presentDocument(tx, caller, row);
      }),

    /** @throws AppError NOT_FOUND, FORBIDDEN, CHANGED_MEANWHILE */
    update: (context: UserContext, id: string, body: Input<Calls['update']>['body']): Promise<DocumentDetail> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const { caller } = context;
        const { row } = await documentFor(tx, caller, id, 'manage', true);
        const { version, meetId, ...rest } = body;
        if (row.version !== version) throw new AppError('CHANGED_MEANWHILE');
        if (row.isTemplate && meetId !== null) throw new AppError('INVALID_INPUT', {}, { meetId: 'template' });
        if (meetId !== null && meetId !== row.meetingId) await manageMeeting(tx, meetId, caller, { lock: false });
        const set = { ...rest, meetingId: meetId, version: version + 1 };
        const [after] = await tx.update(document, set, eq(document.id, id));
        if (!after) throw new AppError('NOT_FOUND');
        await announce(tx, id);
        await recordAudit(tx, context, now(), {
          target: targetOf(after),
          ...changed(row, after, ['title', 'kind', 'meetingId']),
        });
        return presentDocument(tx, caller, after);
      }),

    /** @throws AppError NOT_FOUND, FORBIDDEN */
    remove: (context: UserContext, id: string): Promise<void> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const { row } = await documentFor(tx, context.caller, id, 'manage', true);
        await removeFilesOf(tx, storage, { purpose: 'document', subjectId: id });
        await tx.delete(document, eq(document.id, id));
        await announce(tx, id);
        await recordAudit(tx, context, now(), { target: targetOf(row), before: { title: row.title, kind: row.kind } });
      }),

    /** @throws AppError NOT_FOUND, FORBIDDEN, DOCUMENT_PERSON_UNKNOWN */
    share: (context: UserContext, id: string, { members }: Input<Calls['share']>['body']): Promise<DocumentDetail> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const { row } = await documentFor(tx, context.caller, id, 'manage', true);
        const people = await peopleOf(
          tx,
          members.map(({ userId }) => userId),
        );
        const rights = new Map(members.map(({ userId, right }) => [userId, right]));
        await tx.delete(documentMember, allOf(eq(documentMember.documentId, id)));
        if (people.length > 0)
          await tx.insert(
            documentMember,
            people.map((one) => ({
              documentId: id,
              accountId: one.id,
              canWrite: rights.get(one.id) === 'write',
            })),
          );
        await announce(tx, id);
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          after: { members: people.map((one) => `${one.name}: ${rights.get(one.id) ?? ''}`) },
        });
        return presentDocument(tx, context.caller, row);
      }),
  };
}

export type DocumentService = ReturnType<typeof createDocumentService>;
export { targetOf };
