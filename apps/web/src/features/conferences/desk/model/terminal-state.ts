import { DEVICE_TYPES } from '@rmeet/contract';
import type { TerminalRow } from './rows.ts';

/** A terminal's state as the single most important word. */
export type ShownState = 'failed' | 'late' | 'lost' | 'speaking' | 'muted' | 'inside';

export function stateOf({
  failed,
  late,
  quality,
  speaking,
  muted,
}: Pick<TerminalRow, 'failed' | 'late' | 'quality' | 'speaking' | 'muted'>): ShownState {
  if (quality === 'lost') return 'lost';
  if (failed !== null) return 'failed';
  if (late) return 'late';
  if (muted) return 'muted';
  return speaking ? 'speaking' : 'inside';
}

const { pc, mac, linux, android, ios, ipad, androidPad, web, pstn, miniProgram, mraDevice } = DEVICE_TYPES;

/** The device kind of a code, as a key of the texts. */
export function deviceKind(
  code: number,
): 'phone' | 'computer' | 'mobile' | 'tablet' | 'browser' | 'room' | 'controller' {
  if (code === pstn) return 'phone';
  if (code === web) return 'browser';
  if (([pc, mac, linux] as number[]).includes(code)) return 'computer';
  if (([android, ios, miniProgram] as number[]).includes(code)) return 'mobile';
  if (([ipad, androidPad] as number[]).includes(code)) return 'tablet';
  return code === mraDevice || code < DEVICE_TYPES.controllerWindows ? 'room' : 'controller';
}
