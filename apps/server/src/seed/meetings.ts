import type { AccountRow } from '../modules/accounts/users/tables.ts';
import { conference } from '../modules/conferences/tables.ts';
import { endTimeOf, insertMeeting, replaceParticipants, sealPassword, takeNumber } from '../modules/meetings/index.ts';
import type { MeetingRow } from '../modules/meetings/tables.ts';
import { roomBooking } from '../modules/rooms/tables.ts';
import { meetingTerminal } from '../modules/terminals/tables.ts';
import { newId, type PlatformTx } from '../platform/db/index.ts';
import type { SecretBox } from '../platform/secrets/index.ts';

const HOUR = 3_600_000;

interface DemoMeeting {
  subject: string;
  /** A network meeting without. */
  type?: MeetingRow['type'];
  agenda?: string;
  /** Hours from now to its start; negative ones are over unless `isRunning`. */
  inHours: number;
  /** Minutes. */
  duration: number;
  /** No password means a waiting room, but for local ones. */
  password?: string;
  host: string;
  invited: string[];
  guest?: string;
  party?: { name: string; phone: string };
  room?: string;
  terminal?: string;
  isRunning?: boolean;
}

const demoMeetings: DemoMeeting[] = [
  { subject: '季度预算评审', inHours: -170, duration: 90, password: '2607', host: 'chair', invited: ['alice', 'bob'] },
  {
    subject: '设备采购沟通',
    inHours: -98,
    duration: 45,
    password: '8841',
    host: 'alice',
    invited: ['carol'],
    guest: 'vendor@example.org',
  },
  { subject: '信息安全培训', inHours: -50, duration: 120, host: 'admin', invited: ['chair', 'alice', 'bob', 'carol'] },
  {
    subject: '周例会',
    agenda: '1. 上周进展\n2. 本周计划\n3. 问题与风险',
    inHours: -26,
    duration: 60,
    password: '5173',
    host: 'chair',
    invited: ['alice', 'bob', 'carol'],
  },
  {
    subject: '值班交接',
    agenda: '重点患者与待办事项',
    inHours: -0.25,
    duration: 120,
    password: '4821',
    host: 'alice',
    invited: ['chair', 'bob'],
    room: '201 会议室',
    isRunning: true,
  },
  {
    subject: '病例讨论',
    agenda: '请提前阅读资料',
    inHours: 1,
    duration: 60,
    password: '9062',
    host: 'chair',
    invited: ['alice', 'bob', 'carol'],
    room: '202 会议室',
  },
  {
    subject: '远程会诊',
    type: 'VIDEO_MEETING',
    inHours: 2.5,
    duration: 45,
    host: 'bob',
    invited: ['alice'],
    guest: 'partner@example.org',
    terminal: '202 大屏',
  },
  {
    subject: '项目启动会',
    agenda: '目标、范围、分工',
    inHours: 21,
    duration: 90,
    password: '3358',
    host: 'alice',
    invited: ['chair', 'bob', 'carol'],
    room: '202 会议室',
  },
  {
    subject: '供应商演示',
    type: 'PHONE_MEETING',
    inHours: 27,
    duration: 60,
    host: 'carol',
    invited: ['alice'],
    party: { name: '供应商', phone: '01065123456' },
  },
  {
    subject: '周例会',
    agenda: '1. 上周进展\n2. 本周计划\n3. 问题与风险',
    inHours: 142,
    duration: 60,
    password: '5173',
    host: 'chair',
    invited: ['alice', 'bob', 'carol'],
  },
  {
    subject: '新员工介绍',
    type: 'LOCAL_MEETING',
    inHours: 190,
    duration: 30,
    host: 'admin',
    invited: ['chair', 'carol'],
    room: '201 会议室',
  },
  {
    subject: '年度总结筹备',
    inHours: 336,
    duration: 120,
    password: '6420',
    host: 'chair',
    invited: ['admin', 'alice', 'bob'],
  },
];

/** Rounds to the quarter of an hour, as people book. */
function startOf({ inHours, isRunning }: DemoMeeting, now: Date): Date {
  const exact = now.getTime() + inHours * HOUR;
  return new Date(isRunning ? exact : Math.round(exact / (HOUR / 4)) * (HOUR / 4));
}

type IdOf = (name: string) => string;

async function addMeeting(
  tx: PlatformTx,
  tenantId: string,
  demo: DemoMeeting,
  ids: { account: IdOf; room: IdOf; terminal: IdOf },
  secrets: SecretBox,
  now: Date,
): Promise<void> {
  const tenant = tx.asTenant(tenantId);
  const id = newId();
  const { type = 'NETWORK_MEETING' } = demo;
  const startTime = startOf(demo, now);
  const endTime = endTimeOf(startTime, demo.duration);
  const past = endTime <= now ? ('OFFLINE' as const) : ('SCHEDULE' as const);
  await insertMeeting(tenant, {
    id,
    number: await takeNumber(tenant, now),
    type,
    subject: demo.subject,
    agenda: demo.agenda ?? '',
    startTime,
    endTime,
    duration: demo.duration,
    passwordSealed: sealPassword(secrets, tenantId, id, demo.password ?? ''),
    waitingRoom: demo.password === undefined && type !== 'LOCAL_MEETING',
    status: demo.isRunning ? 'ONLINE' : past,
    hostId: ids.account(demo.host),
    createdAt: now,
    updatedAt: now,
  });
  const invited = demo.invited.map((name) => ({ accountId: ids.account(name) }));
  await replaceParticipants(tenant, id, [
    ...invited,
    ...(demo.guest ? [{ email: demo.guest }] : []),
    ...(demo.party ? [demo.party] : []),
  ]);
  if (demo.terminal !== undefined)
    await tenant.insert(meetingTerminal, { meetingId: id, terminalId: ids.terminal(demo.terminal), position: 0 });
  if (demo.room !== undefined) {
    const checkedInAt = demo.isRunning ? now : null;
    await tenant.insert(roomBooking, {
      id: newId(),
      meetingId: id,
      roomId: ids.room(demo.room),
      position: 0,
      startTime,
      endTime,
      checkedInAt,
    });
  }
  if (demo.isRunning)
    await tenant.insert(conference, { id: newId(), meetingId: id, type, startedAt: now, emptySince: now });
}

/** A dozen meetings of all types around now: past, running, today, to come. */
export async function addMeetings(
  tx: PlatformTx,
  tenantId: string,
  {
    people,
    rooms,
    terminals,
  }: { people: readonly AccountRow[]; rooms: ReadonlyMap<string, string>; terminals: ReadonlyMap<string, string> },
  secrets: SecretBox,
  now: Date,
): Promise<void> {
  const among =
    (ids: ReadonlyMap<string, string>): IdOf =>
    (name) => {
      const id = ids.get(name);
      if (!id) throw new Error(`The demo data has no ${name}.`);
      return id;
    };
  const ids = {
    account: among(new Map(people.map((person) => [person.account, person.id]))),
    room: among(rooms),
    terminal: among(terminals),
  };
  for (const demo of demoMeetings) await addMeeting(tx, tenantId, demo, ids, secrets, now);
}
