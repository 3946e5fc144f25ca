import type { ConferenceVerb } from '@rmeet/conference';
import { CANNOT_SENTENCES, DEVICE_TYPES, type CannotReason, type Locale } from '@rmeet/contract';
import { AppError } from '../../../platform/http/index.ts';
import type { ConferenceRow } from '../tables.ts';

export type ConferenceRef = Pick<ConferenceRow, 'id' | 'tenantId' | 'meetingId'>;

/** What may be asked of an engine: a verb, or that calls go out by mail. */
type Ability = ConferenceVerb | 'mail';
type Cannot = Partial<Record<Ability, CannotReason>>;

/**
 * What carries out the commands to a conference. The control state is the product's own, whichever engine is behind it;
 * an engine says what it and its terminals cannot do, and is brought in line after each change.
 */
export interface ConferenceEngine {
  /** `{res}` of the calls. */
  readonly name: string;
  readonly cannot: Cannot;
  /** What a terminal of this kind cannot obey. */
  cannotWith(deviceType: number): Cannot;
  /** The control was changed; returns at once. */
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
 * Our own engine: LiveKit's protocol, embedded or a cluster.
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

/** A refusal that says why in words. */
export function impossible(reason: CannotReason, locale: Locale): AppError {
  return new AppError('VERB_IMPOSSIBLE', { reason: CANNOT_SENTENCES[reason][locale] });
}
