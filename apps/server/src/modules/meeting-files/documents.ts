import { and, asc, desc, eq, ilike, isNull, sql, type SQL } from 'drizzle-orm';
import {
  TOTAL_COUNT_LIMIT,
  type contract,
  type Data,
  type Input,
  type MeetingDocument,
  type MeetingFileList,
} from '@rmeet/contract';
import { containing, type Db, type TenantTx } from '../../platform/db/index.ts';
import { AppError, fileNameOf, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { changed as audited, recordAudit } from '../audit/index.ts';
import { filesOfMeetings } from '../meetings/index.ts';
import { ownDocument, seenDocument, seenDocuments, seenMeeting, targetOf } from './access.ts';
import { mustBeNoProgram } from './content.ts';
import { dropDocuments } from './drop.ts';
import { foldersOf, pathTo, presentFolder } from './folders.ts';
import { namesOf, presentDocuments, presentUpload, type Shown } from './present.ts';
import { spaceOf } from './space.ts';
import { meetingDocument, meetingDocumentVersion } from './tables.ts';
import { uploadsOf } from './uploads.ts';

type UserContext = Context<UserCaller>;
type Routes = typeof contract.meetingFiles;

export interface DocumentDeps {
  db: Db;
  storage: Storage;
  now: () => Date;
  shown: Shown;
}

/** A fact of the newest version of each file. */
function ofNewest(column: typeof meetingDocumentVersion.size | typeof meetingDocumentVersion.createdAt): SQL {
  return sql`(select ${column} from ${meetingDocumentVersion}
    where ${meetingDocumentVersion.documentId} = ${meetingDocument.id}
      and ${meetingDocumentVersion.version} = ${meetingDocument.version})`;
}

function orderOf({ sort, order }: Input<Routes['list']>['query']): SQL[] {
  const by = {
    name: meetingDocument.name,
    size: ofNewest(meetingDocumentVersion.size),
    at: ofNewest(meetingDocumentVersion.createdAt),
  }[sort];
  const direction = order === 'ASC' ? asc : desc;
  return [direction(by), direction(meetingDocument.name), direction(meetingDocument.id)];
}

const contains = (name: string, keyword: string): boolean => name.toLowerCase().includes(keyword.toLowerCase());

/** The files that were sent with the booking. */
const bookedOf = async (tx: TenantTx, meetId: string) => (await filesOfMeetings(tx, [meetId])).get(meetId) ?? [];

/** Lists the files of a folder. */
function listing({ db, now, shown }: DocumentDeps) {
  return {
    /** @throws AppError NOT_FOUND */
    async list({ caller }: UserContext, { query }: Input<Routes['list']>): Promise<MeetingFileList> {
      const { meetId, folderId = null, keyword = '', current, size } = query;
      return db.tenant(caller.tenantId, async (tx) => {
        const seen = await seenMeeting(tx, caller, meetId, now());
        const all = await foldersOf(tx, meetId);
        const path = pathTo(all, folderId);
        const here = and(
          eq(meetingDocument.meetingId, meetId),
          folderId === null ? isNull(meetingDocument.folderId) : eq(meetingDocument.folderId, folderId),
          seenDocuments(seen),
          keyword === '' ? undefined : ilike(meetingDocument.name, containing(keyword)),
        );
        const rows = await tx.find(meetingDocument, here, {
          orderBy: orderOf(query),
          limit: size,
          offset: (current - 1) * size,
        });
        const total = await tx.count(meetingDocument, here, TOTAL_COUNT_LIMIT + 1);
        return {
          meetId,
          subject: seen.meeting.subject,
          path: path.map(({ id, name }) => ({ id, name })),
          folders: all
            .filter(({ parentId, name }) => parentId === folderId && contains(name, keyword))
            .map((row) => presentFolder(seen, row)),
          files: {
            records: await presentDocuments(tx, seen, rows, shown),
            total: Math.min(total, TOTAL_COUNT_LIMIT),
            current,
            size,
            ...(total > TOTAL_COUNT_LIMIT ? { totalIsLowerBound: true } : {}),
          },
          booked: folderId === null ? (await bookedOf(tx, meetId)).filter(({ name }) => contains(name, keyword)) : [],
          uploads: (await uploadsOf(tx, meetId, caller.userId, now())).map(presentUpload),
          can: { add: caller.permissions.includes('sys:uploadMeetingFile'), manage: seen.manages },
          space: await spaceOf(tx),
        };
      });
    },
  };
}

/** Lists the versions of a file. */
function versionList({ db, now }: DocumentDeps) {
  return {
    /** @throws AppError NOT_FOUND */
    async versions({ caller }: UserContext, id: string): Promise<Data<Routes['versions']>> {
      return db.tenant(caller.tenantId, async (tx) => {
        await seenDocument(tx, caller, id, now());
        const rows = await tx.find(meetingDocumentVersion, eq(meetingDocumentVersion.documentId, id), {
          orderBy: desc(meetingDocumentVersion.version),
        });
        const names = await namesOf(
          tx,
          rows.map(({ uploadedBy }) => uploadedBy),
        );
        return rows.map(({ version, size, scan, uploadedBy, createdAt }) => ({
          version,
          size,
          scan,
          by: { userId: uploadedBy, name: names.get(uploadedBy) ?? '' },
          at: createdAt.toISOString(),
        }));
      });
    },
  };
}

/** Changes files. */
function changing({ db, now, shown }: DocumentDeps) {
  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN, FILE_KIND_REFUSED */
    async change(context: UserContext, { params, body }: Input<Routes['change']>): Promise<MeetingDocument> {
      const { caller } = context;
      const { audience, secretUntilStart, folderId } = body;
      return db.tenant(caller.tenantId, async (tx) => {
        const { row, seen } = await ownDocument(tx, caller, params.id, now());
        if (!seen.manages && (audience !== undefined || secretUntilStart !== undefined))
          throw new AppError('FORBIDDEN');
        if (folderId !== undefined) pathTo(await foldersOf(tx, row.meetingId), folderId);
        const name = body.name === undefined ? row.name : fileNameOf(body.name);
        if (name !== row.name) mustBeNoProgram(Buffer.alloc(0), name);
        const [changed = row] = await tx.update(
          meetingDocument,
          {
            name,
            folderId: folderId === undefined ? row.folderId : folderId,
            audience: audience ?? row.audience,
            secretUntilStart: secretUntilStart ?? row.secretUntilStart,
          },
          eq(meetingDocument.id, row.id),
        );
        await recordAudit(tx, context, now(), {
          target: targetOf(seen),
          ...audited(row, changed, ['name', 'folderId', 'audience', 'secretUntilStart']),
        });
        const [document] = await presentDocuments(tx, seen, [changed], shown);
        if (!document) throw new AppError('NOT_FOUND');
        return document;
      });
    },
  };
}

/** Deletes files. */
function removing({ db, storage, now }: DocumentDeps) {
  return {
    /** @throws AppError NOT_FOUND, FORBIDDEN */
    async remove(context: UserContext, id: string): Promise<null> {
      const { caller } = context;
      await db.tenant(caller.tenantId, async (tx) => {
        const { row, seen } = await ownDocument(tx, caller, id, now());
        await dropDocuments(tx, storage, eq(meetingDocument.id, id));
        await recordAudit(tx, context, now(), {
          target: targetOf(seen),
          before: { file: row.name, version: row.version },
        });
      });
      return null;
    },
  };
}

/** Lists, changes and deletes files. */
export function createDocuments(deps: DocumentDeps) {
  return { ...listing(deps), ...versionList(deps), ...changing(deps), ...removing(deps) };
}
