import { eq } from 'drizzle-orm';
import { meetingFiles, MEETING_FILE_LIMITS, pathOf, type Data } from '@rmeet/contract';
import type { Db, TenantTx } from '../../platform/db/index.ts';
import { AppError, FileAnswer, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { personOf, seenDocument } from './access.ts';
import { contentOf, convertedKey } from './content.ts';
import { bodyOf, HARMLESS, mustBeClean } from './download.ts';
import { newestOf, type Shown } from './present.ts';
import type { PreviewSignatures } from './signature.ts';
import { meetingDocumentVersion, type DocumentRow, type VersionRow } from './tables.ts';

type Preview = Data<typeof meetingFiles.preview>;

export interface PreviewDeps {
  db: Db;
  storage: Storage;
  now: () => Date;
  shown: Shown;
  signatures: PreviewSignatures;
  /** Called in the transaction in which a PDF is first asked for. */
  convertSoon: (tx: TenantTx) => void;
}

const notShown = (name: string): AppError => new AppError('FILE_NOT_SHOWN', { name });

/** Signs the addresses of previews. */
function signing({ db, now, shown, signatures, convertSoon }: PreviewDeps) {
  /** Whether the PDF of an office file is there; if not, it is made. @throws AppError FILE_NOT_SHOWN */
  async function isConverted(tx: TenantTx, { id, conversion }: VersionRow, name: string): Promise<boolean> {
    if (!shown.office || conversion === 'failed') throw notShown(name);
    if (conversion === null) {
      await tx.update(meetingDocumentVersion, { conversion: 'waiting' }, eq(meetingDocumentVersion.id, id));
      convertSoon(tx);
    }
    return conversion === 'done';
  }

  return {
    /** @throws AppError NOT_FOUND, FILE_NOT_SHOWN, FILE_BEING_SCANNED, FILE_INFECTED, FILE_NOT_SCANNED */
    async preview({ caller }: Context<UserCaller>, id: string): Promise<Preview> {
      return db.tenant(caller.tenantId, async (tx) => {
        const { row } = await seenDocument(tx, caller, id, now());
        const version = (await newestOf(tx, [row])).get(id);
        if (!version) throw new AppError('NOT_FOUND');
        mustBeClean(version, row.name);
        if (version.preview === null) throw notShown(row.name);
        const as = version.preview === 'office' ? 'pdf' : version.preview;
        if (version.preview === 'office' && !(await isConverted(tx, version, row.name)))
          return { state: 'converting', as, url: '' };
        const params = { sign: signatures.sign(version.id, caller.userId) };
        return { state: 'ready', as, url: pathOf(meetingFiles.shown, { params }) };
      });
    },
  };
}

/** Serves signed previews. */
function showing({ db, storage, now, signatures }: PreviewDeps) {
  /** A PDF that the server made of an office file. */
  async function converted(name: string, id: string): Promise<FileAnswer> {
    const found = await storage.stat(convertedKey(id));
    if (!found) throw new AppError('NOT_FOUND');
    return new FileAnswer({
      name: `${name}.pdf`,
      type: 'application/pdf',
      inline: true,
      headers: HARMLESS,
      body: { size: found.size, open: (range) => storage.get(convertedKey(id), range) },
    });
  }

  /** The version of a signed address, if its account may still see the file. @throws AppError PREVIEW_EXPIRED */
  async function signedFor(sign: string): Promise<{ row: DocumentRow; version: VersionRow }> {
    const signed = signatures.check(sign);
    const version =
      signed &&
      (await db.platform((tx) => tx.findOne(meetingDocumentVersion, eq(meetingDocumentVersion.id, signed.versionId))));
    if (!version) throw new AppError('PREVIEW_EXPIRED');
    return db.tenant(version.tenantId, async (tx) => {
      const person = await personOf(tx, signed.userId);
      if (!person) throw new AppError('PREVIEW_EXPIRED');
      return { row: (await seenDocument(tx, person, version.documentId, now())).row, version };
    });
  }

  return {
    /** @throws AppError PREVIEW_EXPIRED, NOT_FOUND, FILE_INFECTED */
    async shown(_context: Context, sign: string): Promise<FileAnswer> {
      const { row, version } = await signedFor(sign);
      mustBeClean(version, row.name);
      if (version.preview === null || version.mediaType === null) throw new AppError('NOT_FOUND');
      if (version.preview === 'office') return converted(row.name, version.id);
      const size = Math.min(version.size, MEETING_FILE_LIMITS.text);
      return new FileAnswer({
        name: row.name,
        type: version.mediaType,
        inline: true,
        headers: HARMLESS,
        body:
          version.preview === 'text'
            ? contentOf(storage, version, { start: 0, end: size - 1 })
            : bodyOf(storage, version),
      });
    },
  };
}

/** Serves files so that pages can show them. */
export function createPreviews(deps: PreviewDeps) {
  return { ...signing(deps), ...showing(deps) };
}
