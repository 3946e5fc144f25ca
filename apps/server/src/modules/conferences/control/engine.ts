import type { ConferenceVerb } from '@rmeet/conference';
import { CANNOT_SENTENCES, DEVICE_TYPES, type CannotReason, type Locale } from '@rmeet/contract';
import { AppError } from '../../../platform/http/index.ts';
import type { ConferenceRow } from '../tables.ts';

export type ConferenceRef = Pick<ConferenceRow, 'id' | 'tenantId' | 'meetingId'>;

/** What an engine may support: a verb, or sending calls by mail. */
type Ability = ConferenceVerb | 'mail';
type Cannot = Partial<Record<Ability, CannotReason>>;

/**
 * Applies the control state of conferences. The state is the same for every engine; an engine declares what it and its
 * terminals do not support, and is updated after each change.
 */
export interface ConferenceEngine {
  /** `{res}` of the calls. */
  readonly name: string;
  readonly cannot: Cannot;
  /** What a terminal of this type does not support. */
  cannotWith(deviceType: number): Cannot;
  /** Called after a change of the control state; returns at once. */
  changed(conference: ConferenceRef): void;
}

const NO_CAMERA: Cannot = { camera: 'device', limitVideo: 'device', dualStream: 'device', terminalLayout: 'device' };
const NO_MEDIA: Cannot = { ...NO_CAMERA, mute: 'device', askUnmute: 'device', volume: 'device', speaker: 'device' };
const CONTROLLERS: ReadonlySet<number> = new Set([
  DEVICE_TYPES.controllerWindows,
  DEVICE_TYPES.controllerAndroid,
  DEVICE_TYPES.controllerIos,
]);

/**
 * The engine that speaks LiveKit's protocol, embedded or a cluster.
 *
 * @param hasMail whether this server can send mail
 */
export function rzEngine(changed: ConferenceEngine['changed'], { hasMail }: { hasMail: boolean }): ConferenceEngine {
  return {
    name: 'rz',
    cannot: hasMail ? {} : { mail: 'notConfigured' },
    cannotWith(deviceType) {
      if (CONTROLLERS.has(deviceType)) return NO_MEDIA;
      return deviceType === DEVICE_TYPES.pstn ? NO_CAMERA : {};
    },
    changed,
  };
}

/** A refusal with a reason in words. */
export function impossible(reason: CannotReason, locale: Locale): AppError {
  return new AppError('VERB_IMPOSSIBLE', { reason: CANNOT_SENTENCES[reason][locale] });
}

/** Rejects calls for an unknown engine. */
export const knownEngine =
  (engine: Pick<ConferenceEngine, 'name'>) =>
  (res: string): void => {
    if (res !== engine.name) throw new AppError('ENGINE_UNKNOWN', { res });
  };
