import { mkdtemp, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { and, asc, eq, isNull, lt, or, type SQL } from 'drizzle-orm';
import { scanWith, type ScannerAddress, type ScanResult } from '../../platform/clamd/index.ts';
import type { Db } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { Push } from '../../platform/push/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { findAccount } from '../accounts/users/index.ts';
import { contentOf, convertedKey, endingOf } from './content.ts';
import { runConverter } from './converter.ts';
import { infectedMail } from './mail-text.ts';
import { meetingDocument, meetingDocumentVersion, type VersionRow } from './tables.ts';

/** Longer than a scan or a conversion takes; after that another process may try. */
const CLAIM = 15 * 60_000;
/** Larger office files are not converted: bytes. */
const CONVERTED_MOST = 200 * 2 ** 20;

export interface WorkDeps {
  db: Db;
  storage: Storage;
  push: Push;
  mail: Mail;
  log: Log;
  now: () => Date;
  clamd: ScannerAddress | undefined;
  /** The program of LibreOffice (usableConverter). */
  soffice: string | undefined;
}

/** Takes the oldest version that waits for work; undefined if there is none. */
async function claim({ db, now }: WorkDeps, waits: SQL): Promise<VersionRow | undefined> {
  return db.platform(async (tx) => {
    const free = or(isNull(meetingDocumentVersion.claimedUntil), lt(meetingDocumentVersion.claimedUntil, now()));
    const [row] = await tx.find(meetingDocumentVersion, and(waits, free), {
      orderBy: asc(meetingDocumentVersion.createdAt),
      limit: 1,
      lock: 'update of free',
    });
    if (!row) return undefined;
    const claimedUntil = new Date(now().getTime() + CLAIM);
    await tx.update(meetingDocumentVersion, { claimedUntil }, eq(meetingDocumentVersion.id, row.id));
    return row;
  });
}

/** Tells the sender of an infected file: in open pages, and by mail. */
async function tellOfVirus({ db, push, mail, log }: WorkDeps, row: VersionRow, finding: string): Promise<void> {
  const told = await db.tenant(row.tenantId, async (tx) => {
    const document = await tx.findOne(meetingDocument, eq(meetingDocument.id, row.documentId));
    const account = await findAccount(tx, row.uploadedBy);
    if (!document || !account) return undefined;
    await push.publish(tx, 'user', {
      type: 'fileInfected',
      meetId: document.meetingId,
      name: document.name,
      userIds: [row.uploadedBy],
    });
    return { name: document.name, account };
  });
  if (!told || told.account.email === '' || !mail.isConfigured) return;
  try {
    await mail.send({ to: told.account.email, ...infectedMail(told.account.locale, told.name, finding) });
  } catch (error) {
    log.warn({ error, versionId: row.id }, 'The sender of an infected file could not be told by mail');
  }
}

/** Scans the files that wait for it; returns how many. A scanner that does not answer is asked again later. */
export async function scanWaiting(deps: WorkDeps): Promise<number> {
  const { db, storage, clamd, log } = deps;
  if (!clamd) return 0;
  for (let scanned = 0; ; scanned += 1) {
    const row = await claim(deps, eq(meetingDocumentVersion.scan, 'pending'));
    if (!row) return scanned;
    let result: ScanResult;
    try {
      result = await scanWith(clamd, () => contentOf(storage, row) as AsyncIterable<Buffer>);
    } catch (error) {
      log.warn({ error, versionId: row.id }, 'A file could not be scanned for viruses; it waits');
      await release(deps, row);
      return scanned;
    }
    const finding = result.state === 'infected' ? result.finding : '';
    await db.platform((tx) =>
      tx.update(
        meetingDocumentVersion,
        { scan: result.state, finding, claimedUntil: null },
        eq(meetingDocumentVersion.id, row.id),
      ),
    );
    if (result.state !== 'infected') continue;
    log.warn({ versionId: row.id, tenantId: row.tenantId, finding }, 'An uploaded file is infected');
    await tellOfVirus(deps, row, finding);
  }
}

async function release({ db }: WorkDeps, { id }: VersionRow): Promise<void> {
  await db.platform((tx) =>
    tx.update(meetingDocumentVersion, { claimedUntil: null }, eq(meetingDocumentVersion.id, id)),
  );
}

/** Makes the PDF of an office file. @throws Error if it cannot be made */
async function convert({ storage }: WorkDeps, soffice: string, row: VersionRow, name: string): Promise<void> {
  if (row.size > CONVERTED_MOST) throw new Error('The file is too large to be converted.');
  const folder = await mkdtemp(join(tmpdir(), 'rmeet-office-'));
  try {
    const file = join(folder, `file.${endingOf(name)}`);
    await pipeline(contentOf(storage, row), createWriteStream(file));
    await runConverter(soffice, folder, file);
    await storage.moveIn(convertedKey(row.id), join(folder, 'file.pdf'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Converts the office files that pages wait for; returns how many. */
export async function convertWaiting(deps: WorkDeps): Promise<number> {
  const { db, soffice, log } = deps;
  if (soffice === undefined) return 0;
  for (let converted = 0; ; converted += 1) {
    const row = await claim(deps, eq(meetingDocumentVersion.conversion, 'waiting'));
    if (!row) return converted;
    let conversion: 'done' | 'failed' = 'done';
    try {
      const document = await db.tenant(row.tenantId, (tx) =>
        tx.findOne(meetingDocument, eq(meetingDocument.id, row.documentId)),
      );
      await convert(deps, soffice, row, document?.name ?? '');
    } catch (error) {
      conversion = 'failed';
      log.warn({ error, versionId: row.id }, 'An office file could not be converted to PDF');
    }
    await db.platform((tx) =>
      tx.update(meetingDocumentVersion, { conversion, claimedUntil: null }, eq(meetingDocumentVersion.id, row.id)),
    );
  }
}
