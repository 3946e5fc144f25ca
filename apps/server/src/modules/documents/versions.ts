import type { contract, Data, DocumentVersion, Input } from '@rmeet/contract';
import { differenceOf, openDocument, readDocument, writeDocument } from '@rmeet/documents';
import { encodeStateAsUpdate, encodeStateVector } from 'yjs';
import type { Db } from '../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../platform/http/index.ts';
import { recordAudit } from '../audit/index.ts';
import { documentFor } from './access.ts';
import { pageOf, presentVersion } from './present.ts';
import { findVersion, listVersions } from './repo.ts';
import { targetOf } from './service.ts';
import { appendUpdate, checkSpace, decoded, keepVersion, loadDocument } from './store.ts';

type Calls = typeof contract.documents;
type UserContext = Context<UserCaller>;
interface VersionParams {
  id: string;
  versionId: string;
}

/** Versions of documents: keeping, comparing and restoring them. */
export function createVersions({ db, now }: { db: Db; now: () => Date }) {
  return {
    /** @throws AppError NOT_FOUND */
    list: (
      { caller }: UserContext,
      id: string,
      paging: Input<Calls['versions']>['query'],
    ): Promise<Data<Calls['versions']>> =>
      db.tenant(caller.tenantId, async (tx) => {
        await documentFor(tx, caller, id, 'read');
        return pageOf(await listVersions(tx, id, paging), paging, presentVersion);
      }),

    /** @throws AppError NOT_FOUND, DOCUMENT_READ_ONLY */
    keep: ({ caller }: UserContext, id: string, name: string): Promise<DocumentVersion> =>
      db.tenant(caller.tenantId, async (tx) => {
        await documentFor(tx, caller, id, 'write');
        const { doc } = await loadDocument(tx, id);
        return presentVersion(
          await keepVersion(tx, id, { doc, name, kind: 'named', createdAt: now(), createdBy: caller.name }),
        );
      }),

    /** @throws AppError NOT_FOUND */
    difference: ({ caller }: UserContext, { id, versionId }: VersionParams): Promise<Data<Calls['difference']>> =>
      db.tenant(caller.tenantId, async (tx) => {
        await documentFor(tx, caller, id, 'read');
        const version = await findVersion(tx, id, versionId);
        if (!version) throw new AppError('NOT_FOUND');
        const { doc } = await loadDocument(tx, id);
        const lines = differenceOf(readDocument(openDocument([decoded(version.data)])), readDocument(doc));
        return { version: presentVersion(version), lines };
      }),

    /** @throws AppError NOT_FOUND, DOCUMENT_READ_ONLY, DOCUMENT_FULL */
    restore: (context: UserContext, { id, versionId }: VersionParams): Promise<void> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const { caller } = context;
        const { row } = await documentFor(tx, caller, id, 'write', true);
        const version = await findVersion(tx, id, versionId);
        if (!version) throw new AppError('NOT_FOUND');
        const { doc } = await loadDocument(tx, id);
        const before = encodeStateVector(doc);
        await keepVersion(tx, id, { doc, name: '', kind: 'restore', createdAt: now(), createdBy: caller.name });
        writeDocument(doc, readDocument(openDocument([decoded(version.data)])));
        const update = encodeStateAsUpdate(doc, before);
        await checkSpace(tx, row, update.length);
        await appendUpdate(tx, row, update, { by: caller.name, now: now() });
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          after: { version: version.createdAt.toISOString() },
        });
      }),
  };
}
