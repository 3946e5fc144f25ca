import { isOfApproval, type ApprovalReason, type Locale, type NoticeField, type NoticeKind } from '@rmeet/contract';
import { mailedLink } from '../../meetings/index.ts';
import type { Facts } from '../changes/snapshot.ts';
import type { Telling } from './fill.ts';

const REASONS: Record<ApprovalReason, Record<Locale, string>> = {
  all: { zh: '全部会议', en: 'every meeting' },
  type: { zh: '会议类型', en: 'its type' },
  vip: { zh: '重要会议', en: 'important' },
  duration: { zh: '会议时长', en: 'its length' },
  people: { zh: '参会人数', en: 'many people' },
};

/** How many meetings, from when to when; empty for one alone. */
function meetingsText({ approval, startTime, timeZone }: Facts, locale: Locale): string {
  if (!approval || approval.meetings < 2) return '';
  const day = new Intl.DateTimeFormat(locale === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone,
    year: 'numeric',
    month: locale === 'zh' ? 'numeric' : 'short',
    day: 'numeric',
  });
  const [from, until] = [day.format(Date.parse(startTime)), day.format(Date.parse(approval.lastStart))];
  return locale === 'zh'
    ? `${approval.meetings} 次会议，${from} 至 ${until}`
    : `${approval.meetings} meetings, ${from} to ${until}`;
}

/** Where a reader of such a notice goes on: approvers to the queue, hosts to their meeting. */
function pageOf({ meetingId }: Facts, kind: NoticeKind): string {
  return kind === 'approvalAsked' ? '/#/approvals?state=waiting' : `/#/myMeeting?open=${meetingId}`;
}

/** What the fields of texts of approvals stand for, where they differ from those that people who are invited read. */
export function approvalValues({
  facts,
  kind,
  locale,
  publicUrl,
}: Telling): Partial<Record<NoticeField, string>> & Record<'meetings' | 'reasons' | 'approver' | 'note', string> {
  const { approval } = facts;
  if (!approval || !isOfApproval(kind)) return { meetings: '', reasons: '', approver: '', note: '' };
  return {
    password: '',
    link: mailedLink(publicUrl, locale, (origin) => `${origin}${pageOf(facts, kind)}`),
    meetings: meetingsText(facts, locale),
    reasons: approval.reasons.map((reason) => REASONS[reason][locale]).join(locale === 'zh' ? '、' : ', '),
    approver: approval.approver,
    note: approval.note,
  };
}

/** What the sample meeting of previews was asked for and answered. */
export function sampleApproval(kind: NoticeKind, locale: Locale, start: Date): Facts['approval'] {
  if (!isOfApproval(kind)) return undefined;
  const [isAsked, isLapsed, zh] = [kind === 'approvalAsked', kind === 'lapsed', locale === 'zh'];
  const note =
    kind === 'refused'
      ? zh
        ? '与门诊时间冲突'
        : 'It collides with consulting hours'
      : isAsked || isLapsed
        ? ''
        : zh
          ? '请准时结束'
          : 'Please end in time';
  return {
    state: kind === 'approvalAsked' ? 'waiting' : kind,
    askedAt: start.toISOString(),
    reasons: ['vip', 'people'],
    meetings: 1,
    lastStart: start.toISOString(),
    approver: isAsked || isLapsed ? '' : zh ? '陈静' : 'Carol',
    note,
  };
}
