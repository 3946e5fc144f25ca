/**
 * Who may do what in a conference. The server's policy, the tests and docs/roles.md are made from these two tables.
 * What accounts may do outside of conferences is in account-roles.ts.
 */
export const CONFERENCE_PARTS = {
  host: { zh: '主持人', en: 'Host', comment: 'Booked the meeting, or was granted it.' },
  chair: { zh: '主席', en: 'Chair', comment: 'Whoever holds the chair now.' },
  coChair: { zh: '联席主席', en: 'Co-chair', comment: 'Named by the chair.' },
  speaker: { zh: '发言人', en: 'Speaker', comment: 'On air to all; comes on top of the role somebody came in with.' },
  member: { zh: '成员', en: 'Member', comment: 'Of the organisation, signed in; invited or not.' },
  guest: {
    zh: '访客',
    en: 'Guest',
    comment: 'From outside the organisation: by number and password, or by a guest link.',
  },
  waiting: { zh: '等候中', en: 'Waiting', comment: 'Knocked and was not let in yet, whatever else it is.' },
  deskChair: { zh: '主席控制台', en: 'Desk of the chair', comment: 'A desk link for the chair.' },
  deskViewer: { zh: '观看控制台', en: 'Desk of a viewer', comment: 'A desk link for looking on.' },
  tenantAdmin: {
    zh: '单位管理员',
    en: 'Tenant administrator',
    comment: 'In every conference of the tenant; recorded in the audit log.',
  },
} as const;

/** The parts a person can have in a conference. */
export type ConferencePart = keyof typeof CONFERENCE_PARTS;

/** The parts that a terminal joins with and keeps; the database stores these. */
export const CONFERENCE_ROLES = ['host', 'member', 'guest'] as const satisfies readonly ConferencePart[];
export type ConferenceRole = (typeof CONFERENCE_ROLES)[number];

/** Conditions for a right besides the part: content is not locked; the chair allows it to all. */
export const RIGHT_CONDITIONS = {
  contentUnlocked: { zh: '内容未锁定时', en: 'while content is not locked' },
  allowed: { zh: '主席允许时', en: 'when the chair allows it' },
} as const;
type Condition = keyof typeof RIGHT_CONDITIONS;

interface Right {
  zh: string;
  en: string;
  parts: readonly ConferencePart[];
  /** Parts that have it only under a condition. */
  when?: Partial<Record<ConferencePart, Condition>>;
}

const OWNERS = ['host', 'tenantAdmin'] as const;
const CHAIRS = [...OWNERS, 'chair', 'deskChair'] as const;
const CHAIRS_AND_CO = [...CHAIRS, 'coChair'] as const;
const INSIDE = [...CHAIRS_AND_CO, 'speaker', 'member', 'guest'] as const;

/** Each right and the parts that have it; parts not listed do not have it. */
export const CONFERENCE_RIGHTS = {
  see: { zh: '查看会议', en: 'See the conference', parts: [...INSIDE, 'deskViewer'] },
  leave: { zh: '离开会议', en: 'Leave', parts: [...INSIDE, 'waiting'] },
  messageChair: { zh: '给主席留言（一条）', en: 'Send the chair one message', parts: ['waiting'] },
  ownMedia: { zh: '使用自己的麦克风和摄像头', en: 'Use their own microphone and camera', parts: INSIDE },
  share: {
    zh: '共享内容',
    en: 'Share content',
    parts: CHAIRS_AND_CO,
    when: { speaker: 'contentUnlocked', member: 'allowed', guest: 'allowed' },
  },
  chat: {
    zh: '聊天',
    en: 'Chat',
    parts: CHAIRS_AND_CO,
    when: { speaker: 'allowed', member: 'allowed', guest: 'allowed' },
  },
  sendFiles: {
    zh: '在聊天中发送文件',
    en: 'Send files in the chat',
    parts: CHAIRS_AND_CO,
    when: { speaker: 'allowed', member: 'allowed', guest: 'allowed' },
  },
  react: {
    zh: '发送表情回应',
    en: 'React with an emoji',
    parts: CHAIRS_AND_CO,
    when: { speaker: 'allowed', member: 'allowed', guest: 'allowed' },
  },
  /** Members keep the name of their account, which roll calls and records rely on, unless a host renames them. */
  renameSelf: { zh: '修改自己的名称', en: 'Change their own name', parts: [], when: { guest: 'allowed' } },
  deleteMessages: { zh: '删除他人的聊天消息', en: "Delete other people's messages", parts: CHAIRS_AND_CO },
  vote: { zh: '参加表决', en: 'Vote', parts: INSIDE },
  raiseHand: { zh: '举手', en: 'Raise a hand', parts: INSIDE },
  readBack: { zh: '查看入会前的聊天', en: 'Read what was said before they came', parts: [...CHAIRS_AND_CO, 'member'] },
  files: { zh: '会议文件', en: 'Files of the meeting', parts: [...CHAIRS_AND_CO, 'member'] },
  contacts: { zh: '参会人联系方式', en: "People's contacts", parts: [...CHAIRS_AND_CO, 'member'] },
  invite: { zh: '查看邀请信息', en: 'See the invitation with its password', parts: [...CHAIRS_AND_CO, 'member'] },
  admit: { zh: '管理等候室', en: 'Let people in from the waiting room', parts: CHAIRS_AND_CO },
  control: {
    zh: '会控（静音、布局、轮询等）',
    en: 'Control (mute, layout, polling and the like)',
    parts: CHAIRS_AND_CO,
  },
  desk: {
    zh: '打开会控台',
    en: 'Open the desk: everybody with state, device and quality, and the command log',
    parts: [...CHAIRS_AND_CO, 'deskViewer'],
  },
  lock: { zh: '锁定会议', en: 'Lock the conference', parts: CHAIRS },
  handOverChair: { zh: '移交主席', en: 'Hand over the chair', parts: CHAIRS },
  record: { zh: '录制会议', en: 'Record the conference', parts: CHAIRS_AND_CO },
  end: { zh: '结束会议', en: 'End the conference for all', parts: CHAIRS },
  cancel: { zh: '取消会议', en: 'Cancel the meeting', parts: OWNERS },
  grant: { zh: '授权主持', en: 'Grant somebody the meeting', parts: OWNERS },
} as const satisfies Record<string, Right>;

export type ConferenceRight = keyof typeof CONFERENCE_RIGHTS;

/** Whether a part has a right: always, never, or under the named condition. */
export function conferenceRight(part: ConferencePart, right: ConferenceRight): boolean | Condition {
  const { parts, when = {} }: Right = CONFERENCE_RIGHTS[right];
  return when[part] ?? parts.includes(part);
}
