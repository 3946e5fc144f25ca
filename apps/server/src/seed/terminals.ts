import { insertTerminal } from '../modules/terminals/index.ts';
import type { PlatformTx } from '../platform/db/index.ts';

const demoTerminals = [
  { name: '202 大屏', address: 'screen202@example.org', kind: 'sip', room: '202 会议室', note: '遥控器在讲台抽屉' },
  { name: '报告厅摄像头', address: 'rtsp://192.0.2.10/main', kind: 'rtsp', room: '报告厅', note: '' },
] as const;

/** Two terminals of the demo rooms, whose ids are given by their names; answers the terminals' ids by theirs. */
export async function addTerminals(
  tx: PlatformTx,
  tenantId: string,
  rooms: ReadonlyMap<string, string>,
  now: Date,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { room, ...terminal } of demoTerminals) {
    const { id } = await insertTerminal(
      tx.asTenant(tenantId),
      { ...terminal, roomId: rooms.get(room) ?? null, zone: '', department: '', enabled: true },
      now,
    );
    ids.set(terminal.name, id);
  }
  return ids;
}
