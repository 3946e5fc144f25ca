import type { APPROVAL_NOTICE_KINDS, Locale } from '@rmeet/contract';
import type { NoticeWords } from './types.ts';

type ApprovalNoticeKind = (typeof APPROVAL_NOTICE_KINDS)[number];

const lines = (...text: string[]): string => text.join('\n');

const whenZh = lines('时间：{time}', '重复：{repeats}', '共：{meetings}', '时长：{duration}');
const whenEn = lines('When: {time}', 'Repeats: {repeats}', 'In all: {meetings}', 'Duration: {duration}');

/** Built-in texts about approvals, for approvers and hosts. */
export const approvalTexts: Record<Locale, Record<ApprovalNoticeKind, NoticeWords>> = {
  zh: {
    approvalAsked: {
      subject: '待审批：{subject}',
      text: lines(
        '{name}，您好！',
        '',
        '{host} 预约的会议「{subject}」需要审批。',
        '',
        whenZh,
        '主持人：{host}',
        '会议室：{rooms}',
        '审批原因：{reasons}',
        '',
        '议程：',
        '{agenda}',
        '',
        '前往审批：{link}',
      ),
    },
    approved: {
      subject: '审批通过：{subject}',
      text: lines(
        '{name}，您好！',
        '',
        '您的会议「{subject}」已审批通过，参会人将收到通知。',
        '',
        whenZh,
        '会议室：{rooms}',
        '会议号：{number}',
        '审批人：{approver}',
        '审批意见：{note}',
        '',
        '查看会议：{link}',
      ),
    },
    refused: {
      subject: '审批未通过：{subject}',
      text: lines(
        '{name}，您好！',
        '',
        '您的会议「{subject}」未通过审批，不能召开。',
        '',
        whenZh,
        '审批人：{approver}',
        '原因：{note}',
        '',
        '修改会议后可再次提交审批：{link}',
      ),
    },
    lapsed: {
      subject: '审批过期：{subject}',
      text: lines(
        '{name}，您好！',
        '',
        '您的会议「{subject}」在开始前没有得到审批，不能召开。',
        '',
        whenZh,
        '',
        '查看会议：{link}',
      ),
    },
  },
  en: {
    approvalAsked: {
      subject: 'For approval: {subject}',
      text: lines(
        'Dear {name},',
        '',
        '{host} has booked "{subject}", which needs approval.',
        '',
        whenEn,
        'Host: {host}',
        'Rooms: {rooms}',
        'Needed for: {reasons}',
        '',
        'Agenda:',
        '{agenda}',
        '',
        'Decide: {link}',
      ),
    },
    approved: {
      subject: 'Approved: {subject}',
      text: lines(
        'Dear {name},',
        '',
        'Your meeting "{subject}" has been approved. Everybody invited is told of it now.',
        '',
        whenEn,
        'Rooms: {rooms}',
        'Meeting number: {number}',
        'Decided by: {approver}',
        'Note: {note}',
        '',
        'Your meeting: {link}',
      ),
    },
    refused: {
      subject: 'Not approved: {subject}',
      text: lines(
        'Dear {name},',
        '',
        'Your meeting "{subject}" has not been approved and cannot take place.',
        '',
        whenEn,
        'Decided by: {approver}',
        'Reason: {note}',
        '',
        'Change it to ask again: {link}',
      ),
    },
    lapsed: {
      subject: 'Not decided in time: {subject}',
      text: lines(
        'Dear {name},',
        '',
        'Nobody approved your meeting "{subject}" before it was to begin. It cannot take place.',
        '',
        whenEn,
        '',
        'Your meeting: {link}',
      ),
    },
  },
};
