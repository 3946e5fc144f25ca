import {
  ExternalE2EEKeyProvider,
  RoomEvent,
  type Participant,
  type RemoteParticipant,
  type Room,
  type RoomOptions,
} from 'livekit-client';
import EncryptionWorker from 'livekit-client/e2ee-worker?worker';
import { fromBase64Url } from '../lib/meetingKeys.ts';

/** How often participants whose media could not be decrypted are looked at again, ms. */
const LOOK_AGAIN = 2_000;
/** The worker's error for a wrong key; it reports others for frames that arrive while a key is being set. */
const WRONG_KEY = 'InvalidKey';

interface Inbound extends RTCStats {
  framesDecoded?: number;
  totalAudioEnergy?: number;
}

/** End-to-end encryption of one connection to a room: its key, its worker, and whose media cannot be decrypted. */
export class LivekitEncryption {
  readonly #worker = new EncryptionWorker();
  readonly #keyProvider = new ExternalE2EEKeyProvider();
  readonly #onChange: () => void;
  /** How much of each participant's media had been decoded when decryption last failed, by identity. */
  readonly #failing = new Map<string, number>();
  #look: ReturnType<typeof setInterval> | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get options(): RoomOptions['encryption'] & object {
    return { keyProvider: this.#keyProvider, worker: this.#worker };
  }

  /** Must be called before the room connects, so that nothing is sent without encryption. */
  async start(room: Room, key: string): Promise<void> {
    room.on(RoomEvent.EncryptionError, (error, participant) => this.#failed(error, participant));
    await this.setKey(key);
    await room.setE2EEEnabled(true);
    this.#look = setInterval(() => void this.#lookAgain(room), LOOK_AGAIN);
  }

  async setKey(key: string): Promise<void> {
    await this.#keyProvider.setKey(fromBase64Url(key).buffer);
    this.#failing.clear();
    this.#onChange();
  }

  /** Whether a participant's media arrive, but were encrypted with another key. */
  isFailing(identity: string): boolean {
    return this.#failing.has(identity);
  }

  dispose(): void {
    clearInterval(this.#look);
    this.#worker.terminate();
  }

  #failed(error: Error, participant: Participant | undefined): void {
    if (participant === undefined || participant.isLocal || !error.message.startsWith(WRONG_KEY)) return;
    if (!this.#failing.has(participant.identity)) this.#failing.set(participant.identity, Infinity);
    this.#onChange();
  }

  /** The worker does not report that decryption works again, and stops repeating errors. */
  async #lookAgain(room: Room): Promise<void> {
    for (const [identity, before] of this.#failing) {
      const participant = room.remoteParticipants.get(identity);
      const decoded = participant === undefined ? Infinity : await decodedOf(participant);
      if (participant !== undefined && decoded <= before) this.#failing.set(identity, decoded);
      else if (this.#failing.delete(identity)) this.#onChange();
    }
  }
}

/** A measure of the media that were decoded; it grows while decryption works. */
async function decodedOf({ trackPublications }: RemoteParticipant): Promise<number> {
  let decoded = 0;
  for (const { track } of trackPublications.values()) {
    const report = await track?.getRTCStatsReport();
    report?.forEach(({ framesDecoded = 0, totalAudioEnergy = 0 }: Inbound) => {
      decoded += framesDecoded + totalAudioEnergy;
    });
  }
  return decoded;
}
