import { DOCUMENT_PICTURES, type ReceivedFile, type StoredFile } from '@rmeet/contract';
import { attributeOf, nodesOf, type DocumentNode } from '@rmeet/documents';
import { newId, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, type Context, type FileAnswer, type FileRules, type UserCaller } from '../../platform/http/index.ts';
import { UPLOADS } from '../../platform/http/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { addFile, answerWithFile, findFiles, presentFile, usageOfFiles } from '../files/index.ts';
import type { StoredFileRow } from '../files/tables.ts';
import { documentFor } from './access.ts';

type UserContext = Context<UserCaller>;

/** Types of pictures that Word and PDF files can have. */
const TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg']);
const subjectOf = (subjectId: string) => ({ purpose: 'document' as const, subjectId });

/** The ids of the pictures in a document. */
const picturesIn = (content: DocumentNode): string[] =>
  nodesOf(content, 'picture').flatMap(({ attrs }) => (typeof attrs?.['fileId'] === 'string' ? [attrs['fileId']] : []));

/** The rows of the pictures in a document that belong to it. */
export async function picturesOf(
  tx: TenantTx,
  documentId: string,
  content: DocumentNode,
): Promise<Map<string, StoredFileRow>> {
  const rows = await findFiles(tx, picturesIn(content));
  return new Map([...rows].filter(([, { purpose, subjectId }]) => purpose === 'document' && subjectId === documentId));
}

function replaced(node: DocumentNode, ids: ReadonlyMap<string, string>): DocumentNode {
  const fileId = ids.get(attributeOf(node, 'fileId'));
  return {
    ...node,
    ...(node.type === 'picture' && fileId !== undefined && { attrs: { ...node.attrs, fileId } }),
    ...(node.content && { content: node.content.map((child) => replaced(child, ids)) }),
  };
}

/** Copies the pictures of a content to another document, and returns the content with them. */
export async function copyPictures(
  tx: TenantTx,
  storage: Storage,
  content: DocumentNode,
  { from, to }: { from: string; to: string },
  createdAt: Date,
): Promise<DocumentNode> {
  const ids = new Map<string, string>();
  for (const [id, row] of await picturesOf(tx, from, content)) {
    if (!(await storage.stat(row.storageKey))) continue;
    const key = `${UPLOADS}/${newId()}`;
    await storage.put(key, await storage.get(row.storageKey));
    const picture =
      row.pictureType === null || row.pictureWidth === null || row.pictureHeight === null
        ? undefined
        : { type: row.pictureType, width: row.pictureWidth, height: row.pictureHeight };
    const file = { name: row.name, size: row.size, key, sha256: row.sha256, kind: row.kind, picture };
    const copy = await addFile(tx, file, { ...subjectOf(to), ownerId: row.ownerId, createdAt });
    ids.set(id, copy.id);
  }
  return replaced(content, ids);
}

/** Pictures of documents: which are let in, and who gets them. */
export function createPictures({ db, storage, now }: { db: Db; storage: Storage; now: () => Date }) {
  /** @throws AppError NOT_FOUND, DOCUMENT_READ_ONLY, DOCUMENT_PICTURES_FULL */
  async function checkAdding(tx: TenantTx, caller: UserCaller, id: string): Promise<void> {
    await documentFor(tx, caller, id, 'write');
    const { files } = await usageOfFiles(tx, subjectOf(id));
    if (files >= DOCUMENT_PICTURES.most)
      throw new AppError('DOCUMENT_PICTURES_FULL', { limit: DOCUMENT_PICTURES.most });
  }

  return {
    /** Decides before a file is read, so that nothing is stored for those who may not send it. */
    gate: ({ caller }: UserContext, id: string): Promise<FileRules> =>
      db.tenant(caller.tenantId, async (tx) => {
        await checkAdding(tx, caller, id);
        return {
          files: 1,
          bytes: DOCUMENT_PICTURES.bytes,
          checkKind: (kind, name) => {
            if (kind !== 'picture') throw new AppError('FILE_KIND_REFUSED', { name });
          },
        };
      }),

    /** @throws AppError what checkAdding() throws, FILE_KIND_REFUSED, INVALID_INPUT without a file */
    add: ({ caller }: UserContext, id: string, [received]: readonly ReceivedFile[]): Promise<StoredFile> =>
      db.tenant(caller.tenantId, async (tx) => {
        await checkAdding(tx, caller, id);
        if (!received) throw new AppError('INVALID_INPUT', {}, { file: 'missing' });
        if (!received.picture || !TYPES.has(received.picture.type))
          throw new AppError('FILE_KIND_REFUSED', { name: received.name });
        return presentFile(await addFile(tx, received, { ...subjectOf(id), ownerId: caller.userId, createdAt: now() }));
      }),

    /** @throws AppError NOT_FOUND */
    picture: async (
      { caller }: UserContext,
      { id, fileId }: { id: string; fileId: string },
      { preview }: { preview: boolean },
    ): Promise<FileAnswer> => {
      const file = await db.tenant(caller.tenantId, async (tx) => {
        await documentFor(tx, caller, id, 'read');
        return (await findFiles(tx, [fileId])).get(fileId);
      });
      if (file?.purpose !== 'document' || file.subjectId !== id) throw new AppError('NOT_FOUND');
      return answerWithFile(storage, file, { preview });
    },
  };
}
