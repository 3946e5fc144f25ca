import { lengthWords, timeWords, type NoticeField } from '@rmeet/contract';
import { KEY_NOTE, mailedLink } from '../../meetings/index.ts';
import { approvalFieldValues } from './approval-values.ts';
import { hasNoticeLink, noticeLink } from './link.ts';
import { repeatsText } from './recurrence-text.ts';
import type { NoticeContext, NoticeWords } from './types.ts';
import { htmlOf } from '../../../platform/mail/index.ts';

export type Values = Record<NoticeField, string>;

const spaced = (number: string): string => number.replace(/(\d{3})(?=\d)/g, '$1 ');

/** The link. Without a known address, mails explain why there is none; text messages are too short for that. */
function linkText({ snapshot, password, locale, channel, publicUrl }: NoticeContext): string {
  if (channel === 'sms' && publicUrl === null) return '';
  return mailedLink(publicUrl, locale, (origin) => noticeLink(origin, snapshot, password));
}

/** The link; for an encrypted meeting, also who gives the key, which the server does not have. */
function entryText(context: NoticeContext): string {
  const { e2ee, host } = context.snapshot;
  return [linkText(context), ...(e2ee ? [KEY_NOTE[context.locale](host.name)] : [])].filter(Boolean).join('\n');
}

/** The values of a text's fields. A cancellation contains neither link nor password. */
export function fieldValues(context: NoticeContext): Values {
  const { snapshot, password, kind, name, locale } = context;
  const isCancelled = kind === 'cancellation';
  const hasLink = !isCancelled && hasNoticeLink(snapshot);
  return {
    name,
    subject: snapshot.subject,
    host: snapshot.host.name,
    time: timeWords(snapshot, locale),
    duration: lengthWords(snapshot.duration, locale),
    repeats: snapshot.recurrence ? repeatsText(snapshot.recurrence.rule, snapshot.timeZone, locale) : '',
    number: spaced(snapshot.number),
    password: isCancelled ? '' : password,
    link: hasLink ? entryText(context) : '',
    rooms: snapshot.rooms.join(locale === 'zh' ? '；' : '; '),
    agenda: isCancelled ? '' : snapshot.agenda,
    ...approvalFieldValues(context),
  };
}

const FIELD = /\{(\w+)\}/g;
const isField = (name: string, values: Values): name is NoticeField => Object.hasOwn(values, name);

function fillLine(line: string, values: Values): string | null {
  const fields = [...line.matchAll(FIELD)].flatMap(([, name = '']) => (isField(name, values) ? [values[name]] : []));
  if (fields.length > 0 && fields.every((value) => value === '')) return null;
  // In one pass, so that inserted values are not searched for fields.
  return line.replace(FIELD, (place, name: string) => (isField(name, values) ? values[name] : place));
}

/**
 * A text with its fields filled in. Lines whose fields are all empty are removed, as is a heading directly before a
 * line that consists of an empty field.
 */
export function fill(text: string, values: Values): string {
  const kept: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const filled = fillLine(line, values);
    if (filled !== null) kept.push(filled);
    else if (/[:：]\s*$/.test(kept.at(-1) ?? '') && /^\s*\{\w+\}\s*$/.test(line)) kept.pop();
  }
  return kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A mail. Its subject is one line, whatever the meeting's subject. */
export function fillMail({ subject, text }: NoticeWords, values: Values): NoticeWords & { html: string } {
  const filled = fill(text, values);
  return { subject: oneLine(fill(subject, values)), text: `${filled}\n`, html: htmlOf(filled) };
}

/** A text message. */
export function fillSms({ text }: NoticeWords, values: Values): string {
  return fill(text, { ...values, agenda: oneLine(values.agenda), subject: oneLine(values.subject) });
}

/** The characters of GSM 03.38. A message holds 160 of them, or 70 other characters; longer texts are split. */
const GSM = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ!"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;
const EXTENDED = /[\^{}\\[~\]|€]/g;

/** How many text messages a text needs. */
export function smsParts(text: string): number {
  const isGsm = GSM.test(text);
  const length = isGsm ? text.length + (text.match(EXTENDED)?.length ?? 0) : text.length;
  const [whole, part] = isGsm ? [160, 153] : [70, 67];
  return length <= whole ? 1 : Math.ceil(length / part);
}
