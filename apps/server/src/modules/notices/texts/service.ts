import { and, eq } from 'drizzle-orm';
import {
  hasText,
  LOCALES,
  NOTICE_KINDS,
  TEXT_CHANNELS,
  unknownFields,
  type contract,
  type Data,
  type Input,
  type Locale,
  type NoticeKind,
  type NoticeText,
} from '@rmeet/contract';
import type { Db, TenantTx } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { sampleApproval } from './approval-values.ts';
import { builtIn } from './built-in.ts';
import type { MeetingSnapshot } from '../changes/snapshot.ts';
import { noticeText } from '../tables.ts';
import { fieldValues, fillMail, fillSms, smsParts } from './fill.ts';
import type { NoticeWords } from './types.ts';

type UserContext = Context<UserCaller>;
type Key = Pick<NoticeText, 'kind' | 'channel' | 'locale'>;
type Body = Input<typeof contract.notices.saveText>['body'];

const isText = ({ kind, channel, locale }: Key) =>
  and(eq(noticeText.kind, kind), eq(noticeText.channel, channel), eq(noticeText.locale, locale));

/** The text of a kind of notice: the tenant's own one, else the built-in one. */
export async function textOf(
  tx: TenantTx,
  kind: NoticeKind,
  channel: Key['channel'],
  locale: Locale,
): Promise<NoticeWords> {
  return (await tx.findOne(noticeText, isText({ kind, channel, locale }))) ?? builtIn(kind, channel, locale);
}

/** @throws AppError NOTICE_TEXT_UNKNOWN_FIELD */
function mustKnowFields({ subject, text }: NoticeWords): void {
  const [field] = unknownFields(`${subject}\n${text}`);
  if (field !== undefined) throw new AppError('NOTICE_TEXT_UNKNOWN_FIELD', { field: `{${field}}` });
}

/** A sample meeting for previews. */
function sample(locale: Locale, start: Date): MeetingSnapshot {
  const zh = locale === 'zh';
  return {
    uid: '',
    recurrenceId: null,
    recurrence: null,
    isCancelled: false,
    meetingId: '',
    subject: zh ? '晨间查房' : 'Ward round',
    agenda: zh ? '1. 昨日回顾\n2. 今日安排' : '1. Yesterday\n2. Today',
    startTime: start.toISOString(),
    duration: 60,
    timeZone: 'Asia/Shanghai',
    number: '482913057',
    host: { id: '', name: zh ? '李明' : 'Alice' },
    rooms: [zh ? '第一会议室, 门诊楼' : 'Library, Main building'],
  };
}

/** The texts of notices, for the tenant's administrators. */
export function createTexts({ db, now, publicUrl }: { db: Db; now: () => Date; publicUrl: () => string | null }) {
  const nameOf = ({ kind, channel, locale }: Key): string => `${kind}, ${channel}, ${locale}`;

  return {
    list({ caller }: UserContext): Promise<NoticeText[]> {
      return db.tenant(caller.tenantId, async (tx) => {
        const own = new Map((await tx.find(noticeText)).map((row) => [nameOf(row), row]));
        const keys = TEXT_CHANNELS.flatMap((channel) =>
          NOTICE_KINDS.flatMap((kind) => LOCALES.map((locale): Key => ({ kind, channel, locale }))),
        ).filter(hasText);
        return keys.map(({ kind, channel, locale }) => {
          const written = own.get(nameOf({ kind, channel, locale }));
          const { subject, text } = written ?? builtIn(kind, channel, locale);
          return { kind, channel, locale, subject, text, isBuiltIn: !written };
        });
      });
    },

    /** @throws AppError NOTICE_TEXT_UNKNOWN_FIELD */
    save(context: UserContext, { kind, channel, locale, subject, text }: Body): Promise<NoticeText> {
      const key = { kind, channel, locale };
      const words = { subject: channel === 'sms' ? '' : subject, text };
      mustKnowFields(words);
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { subject: subjectBefore, text: textBefore } = await textOf(tx, kind, channel, locale);
        await tx.insert(
          noticeText,
          { ...key, ...words },
          { target: [noticeText.tenantId, noticeText.kind, noticeText.channel, noticeText.locale], set: words },
        );
        await recordAudit(tx, context, now(), {
          target: { kind: 'noticeText', id: nameOf(key), name: nameOf(key) },
          before: { subject: subjectBefore, text: textBefore },
          after: words,
        });
        return { ...key, ...words, isBuiltIn: false };
      });
    },

    reset(context: UserContext, key: Key): Promise<NoticeText> {
      return db.tenant(context.caller.tenantId, async (tx) => {
        const { subject: subjectBefore, text: textBefore } = await textOf(tx, key.kind, key.channel, key.locale);
        await tx.delete(noticeText, isText(key));
        const words = builtIn(key.kind, key.channel, key.locale);
        await recordAudit(tx, context, now(), {
          target: { kind: 'noticeText', id: nameOf(key), name: nameOf(key) },
          before: { subject: subjectBefore, text: textBefore },
          after: { ...words },
        });
        return { ...key, ...words, isBuiltIn: true };
      });
    },

    /** @throws AppError NOTICE_TEXT_UNKNOWN_FIELD */
    preview(_: UserContext, { kind, channel, locale, subject, text }: Body): Data<typeof contract.notices.previewText> {
      mustKnowFields({ subject, text });
      const name = locale === 'zh' ? '王芳' : 'Bob';
      const snapshot = { ...sample(locale, now()), approval: sampleApproval(kind, locale, now()) };
      const values = fieldValues({ snapshot, password: '4821', kind, name, locale, channel, publicUrl: publicUrl() });
      if (channel === 'mail') return { ...fillMail({ subject, text }, values), parts: 0 };
      const filled = fillSms({ subject, text }, values);
      return { subject: '', text: filled, html: '', parts: smsParts(filled) };
    },
  };
}
