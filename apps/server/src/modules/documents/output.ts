import type { contract, Data, DocumentFormat, Input } from '@rmeet/contract';
import { z } from 'zod';
import type { Db } from '../../platform/db/index.ts';
import { AppError, FileAnswer, type Context, type UserCaller } from '../../platform/http/index.ts';
import type { Jobs } from '../../platform/jobs/types.ts';
import type { Log } from '../../platform/log/log.ts';
import { htmlOf, MailRefused, type Mail } from '../../platform/mail/index.ts';
import type { Storage } from '../../platform/storage/index.ts';
import { findAccount } from '../accounts/users/index.ts';
import { recordAudit } from '../audit/index.ts';
import { eq } from 'drizzle-orm';
import { documentFor } from './access.ts';
import { readPrinted } from './content.ts';
import { pdfOf } from './print.ts';
import { peopleOf, targetOf } from './service.ts';
import { document } from './tables.ts';
import { wordOf } from './word.ts';

type Calls = typeof contract.documents;
type UserContext = Context<UserCaller>;

export interface OutputDeps {
  db: Db;
  storage: Storage;
  mail: Mail;
  jobs: Jobs;
  log: Log;
  now: () => Date;
}

const TYPES: Record<DocumentFormat, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
};
const JOB = 'documents-mail';
const jobData = z.object({
  tenantId: z.uuid(),
  documentId: z.uuid(),
  userId: z.uuid(),
  from: z.string(),
  message: z.string(),
});

const TEXTS = {
  zh: (from: string, title: string) => ({
    subject: `${from} 发来文档：${title}`,
    text: `${from} 向您发送了文档「${title}」，见附件。`,
  }),
  en: (from: string, title: string) => ({
    subject: `${from} sends you: ${title}`,
    text: `${from} sends you the document "${title}". It is attached.`,
  }),
};

/** A title as the name of a file. */
const fileName = (title: string, format: DocumentFormat): string =>
  `${title.replaceAll(/[\\/:*?"<>|]/g, '_').slice(0, 100)}.${format}`;

/** Documents as files and as mails. */
// oxlint-disable-next-line max-lines-per-function -- short methods that share their dependencies
export function createOutput({ db, storage, mail, jobs, log, now }: OutputDeps) {
  async function send({ tenantId, documentId, userId, from, message }: z.output<typeof jobData>): Promise<void> {
    const found = await db.tenant(tenantId, async (tx) => {
      const row = await tx.findOne(document, eq(document.id, documentId));
      const person = await findAccount(tx, userId);
      if (!row || !person || person.email === '') return undefined;
      const printed = await readPrinted(tx, storage, row, { locale: person.locale, hasComments: false });
      return { person, printed };
    });
    // Deleted meanwhile.
    if (!found) return;
    const { person, printed } = found;
    const { subject, text } = TEXTS[person.locale](from, printed.title);
    const body = message === '' ? text : `${text}\n\n${message}`;
    const content = await pdfOf(printed);
    try {
      await mail.send({
        to: person.email,
        subject,
        text: body,
        html: htmlOf(body),
        attachments: [{ name: fileName(printed.title, 'pdf'), type: TYPES.pdf, content }],
      });
    } catch (error) {
      if (!(error instanceof MailRefused)) throw error;
      log.warn({ error, documentId, userId }, 'A mail with a document was refused');
    }
  }
  jobs.define(JOB, jobData, send);

  return {
    /** @throws AppError NOT_FOUND */
    export: async (
      { caller, locale }: UserContext,
      id: string,
      { format }: Input<Calls['export']>['query'],
    ): Promise<FileAnswer> => {
      const printed = await db.tenant(caller.tenantId, async (tx) => {
        const { row } = await documentFor(tx, caller, id, 'read');
        return readPrinted(tx, storage, row, { locale, hasComments: true });
      });
      const body = format === 'docx' ? await wordOf(printed) : await pdfOf(printed);
      return new FileAnswer({ name: fileName(printed.title, format), type: TYPES[format], body });
    },

    /**
     * @throws AppError NOT_FOUND, DOCUMENT_READ_ONLY, DOCUMENT_MAIL_OFF, DOCUMENT_PERSON_UNKNOWN, DOCUMENT_NO_ADDRESS
     */
    mail: (
      context: UserContext,
      id: string,
      { userIds, message }: Input<Calls['mail']>['body'],
    ): Promise<Data<Calls['mail']>> =>
      db.tenant(context.caller.tenantId, async (tx) => {
        const { caller } = context;
        const { row } = await documentFor(tx, caller, id, 'write');
        const people = await peopleOf(tx, userIds);
        if (!mail.isConfigured) throw new AppError('DOCUMENT_MAIL_OFF');
        const reached = people.filter(({ email }) => email !== '');
        if (reached.length === 0) throw new AppError('DOCUMENT_NO_ADDRESS');
        const common = { tenantId: tx.tenantId, documentId: id, from: caller.name, message };
        for (const person of reached) await jobs.send(tx, JOB, { ...common, userId: person.id });
        await recordAudit(tx, context, now(), {
          target: targetOf(row),
          after: { names: reached.map(({ name }) => name) },
        });
        return {
          sent: reached.length,
          withoutAddress: people.filter(({ email }) => email === '').map(({ name }) => name),
        };
      }),
  };
}
