import { isOfApproval, type ApprovalReason, type Locale, type NoticeField, type NoticeKind } from '@rmeet/contract';
import { mailedLink } from '../../meetings/index.ts';
import type { MeetingSnapshot } from '../changes/snapshot.ts';
import type { NoticeContext } from './types.ts';

const REASONS: Record<ApprovalReason, Record<Locale, string>> = {
  all: { zh: '全部会议', en: 'every meeting' },
  type: { zh: '会议类型', en: 'its type' },
  vip: { zh: '重要会议', en: 'important' },
  duration: { zh: '会议时长', en: 'its length' },
  people: { zh: '参会人数', en: 'many people' },
};

/** The number of meetings and their first and last day; empty for a single meeting. */
function meetingsText({ approval, startTime, timeZone }: MeetingSnapshot, locale: Locale): string {
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

/** The page that a notice links to: approvers get their queue, hosts their meeting. */
function pageOf({ meetingId }: MeetingSnapshot, kind: NoticeKind): string {
  return kind === 'approvalAsked' ? '/#/approvals?state=waiting' : `/#/myMeeting?open=${meetingId}`;
}

/** The values of fields in texts about approvals, as far as they differ from those in other texts. */
export function approvalFieldValues({
  snapshot,
  kind,
  locale,
  publicUrl,
}: NoticeContext): Partial<Record<NoticeField, string>> & Record<'meetings' | 'reasons' | 'approver' | 'note', string> {
  const { approval } = snapshot;
  if (!approval || !isOfApproval(kind)) return { meetings: '', reasons: '', approver: '', note: '' };
  return {
    password: '',
    link: mailedLink(publicUrl, locale, (origin) => `${origin}${pageOf(snapshot, kind)}`),
    meetings: meetingsText(snapshot, locale),
    reasons: approval.reasons.map((reason) => REASONS[reason][locale]).join(locale === 'zh' ? '、' : ', '),
    approver: approval.approver,
    note: approval.note,
  };
}

/** The approval of the sample meeting in previews. */
export function sampleApproval(kind: NoticeKind, locale: Locale, start: Date): MeetingSnapshot['approval'] {
  if (!isOfApproval(kind)) return undefined;
  const zh = locale === 'zh';
  const isUndecided = kind === 'approvalAsked' || kind === 'lapsed';
  const notes = {
    refused: zh ? '与门诊时间冲突' : 'It collides with consulting hours',
    approved: zh ? '请准时结束' : 'Please end in time',
  };
  return {
    state: kind === 'approvalAsked' ? 'waiting' : kind,
    askedAt: start.toISOString(),
    reasons: ['vip', 'people'],
    meetings: 1,
    lastStart: start.toISOString(),
    approver: isUndecided ? '' : zh ? '陈静' : 'Carol',
    note: isUndecided ? '' : notes[kind],
  };
}
