import type { Admission, ConferenceEvent, ConferenceState } from '@rmeet/contract';
import { ApiError } from '../lib/api/error.ts';
import { backoffDelay, pause } from './backoff.ts';
import type { CallEnd, CallNotice, CallPorts, CallSnapshot } from './call-types.ts';
import { ConferenceLink } from './conference-link.ts';
import type { LocalMedia } from './local-media.ts';
import type { MediaSession, MediaSource, Outgoing, Refusal } from './media-types.ts';
import { SILENCE, keepSpeakers, tickSpeakers, updateSpeakers } from './speakers.ts';
import { Store, type ReadableStore } from './store.ts';
import { buildTiles } from './tiles.ts';

const NOTICES_KEPT = 30;
/** Milliseconds between looks at who has the floor, while somebody speaks. */
const SPEAKER_TICK = 400;

/** Milliseconds after which a media session counts as one that worked. */
const LASTING = 5_000;

/** What the server's answer to `enter` means for the call; any other failure is tried again. */
const FINAL: Record<string, CallEnd> = {
  CONFERENCE_OVER: 'ended',
  MEETING_ENDED: 'ended',
  MEETING_CANCELLED: 'ended',
  TERMINAL_REMOVED: 'removed',
  TERMINAL_GONE: 'gone',
  UNAUTHORIZED: 'gone',
  USER_LOGIN_ANOTHER_DEVICE: 'elsewhere',
};

/**
 * One terminal's part in one conference, from admission to its end. It owns the media sessions and the push socket,
 * borrows the local media, and keeps both connections up: the media client mends what it can, and when it gives up a
 * new session is entered, for as long as the conference runs.
 */
export class Call {
  readonly #ports: CallPorts;
  readonly #local: LocalMedia;
  readonly #meetId: string;
  readonly #termId: string;
  readonly #name: string;
  readonly #lifetime = new AbortController();
  readonly #store = new Store<CallSnapshot>({
    phase: 'waiting',
    end: null,
    media: 'connecting',
    push: 'connecting',
    conference: null,
    tiles: [],
    speakers: SILENCE,
    outgoing: [],
    unread: 0,
    audioBlocked: false,
    notices: [],
  });
  #session: MediaSession | null = null;
  #link: ConferenceLink | null = null;
  #refreshPlanned = false;
  #speakerTimer: ReturnType<typeof setInterval> | undefined;
  #chatOpen = false;
  #speakerId: string | null = null;
  #notices = 0;

  /** `name` is shown for ourselves until the conference state tells it. */
  constructor(admission: Admission, name: string, local: LocalMedia, ports: CallPorts) {
    this.#ports = ports;
    this.#local = local;
    this.#meetId = admission.meetId;
    this.#termId = admission.termId;
    this.#name = name;
    const stopListening = local.store.subscribe(() => this.#localChanged());
    this.#lifetime.signal.addEventListener('abort', stopListening);
    this.#openPush();
    if (admission.state === 'admitted') this.#activate(admission);
  }

  get store(): ReadableStore<CallSnapshot> {
    return this.#store;
  }

  get termId(): string {
    return this.#termId;
  }

  get #state(): CallSnapshot {
    return this.#store.getSnapshot();
  }

  /** Leaves, and tells the server so. */
  async leave(): Promise<void> {
    if (this.#state.phase === 'over') return;
    this.#finish('left');
    try {
      await this.#ports.api.leave({ params: { meetId: this.#meetId } });
    } catch (error) {
      // The server also learns it from the closed connections; only something unforeseen is worth a word.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** Ends the conference for everybody. Rejects when the server does not allow it. */
  async end(): Promise<void> {
    await this.#ports.api.end({ params: { meetId: this.#meetId } });
    this.#finish('ended');
  }

  async raiseHand(raised: boolean): Promise<void> {
    await this.#ports.api.hand({ params: { meetId: this.#meetId }, body: { raised } });
  }

  async admit(termIds: string[], admit: boolean): Promise<void> {
    await this.#ports.api.admit({ params: { meetId: this.#meetId }, body: { termIds, admit } });
  }

  /** Says something in the chat; a message that does not go out stays in `outgoing` as failed. */
  async say(text: string, id: string = newMessageId()): Promise<void> {
    const others = this.#state.outgoing.filter((each) => each.id !== id);
    this.#store.set({ outgoing: [...others, { id, text, state: 'sending' }] });
    try {
      const message = await this.#ports.api.chat({ params: { meetId: this.#meetId }, body: { id, text } });
      this.#store.set({ outgoing: this.#state.outgoing.filter((each) => each.id !== id) });
      const { conference } = this.#state;
      if (conference !== null && !conference.messages.some((each) => each.id === id)) {
        this.#store.set({ conference: { ...conference, messages: [...conference.messages, message] } });
      }
    } catch (error) {
      this.#store.set({ outgoing: this.#state.outgoing.map((each) => (each.id === id ? { ...each, state: 'failed' } : each)) });
      throw error;
    }
  }

  /** While the chat is open nothing in it counts as unread. */
  setChatOpen(open: boolean): void {
    this.#chatOpen = open;
    if (open) this.#store.set({ unread: 0 });
  }

  /** Lets the sound out; called from a click. */
  async startAudio(): Promise<void> {
    await this.#session?.startAudio();
  }

  #activate(admission: Admission & { state: 'admitted' }): void {
    this.#store.set({ phase: 'active' });
    this.#refresh();
    void this.#runMedia(admission);
  }

  #finish(end: CallEnd): void {
    if (this.#lifetime.signal.aborted) return;
    this.#lifetime.abort();
    clearInterval(this.#speakerTimer);
    this.#link?.close();
    void this.#session?.stop();
    this.#store.set({ phase: 'over', end });
  }

  // --- media

  /** One media session after the other until the call is over. */
  async #runMedia(first: Admission & { state: 'admitted' }): Promise<void> {
    const { signal } = this.#lifetime;
    const openSession = await this.#ports.loadMedia();
    let admission = first;
    /** Sessions in a row that did not last. */
    let brief = 0;
    while (!signal.aborted) {
      const started = Date.now();
      const session = openSession({
        onChange: () => this.#planRefresh(),
        onSpeakers: (termIds) => this.#speakersChanged(termIds),
        onState: (media) => this.#store.set({ media }),
        onAudioBlocked: (audioBlocked) => this.#store.set({ audioBlocked }),
        onRefused: (source, why) => this.#refused(source, why),
      });
      this.#session = session;
      this.#localChanged();
      const end = await session.run(admission.url, admission.token);
      this.#session = null;
      if (signal.aborted) return;
      if (end === 'elsewhere') {
        this.#finish('elsewhere');
        return;
      }
      this.#store.set({ media: this.#state.media === 'connecting' ? 'connecting' : 'reconnecting' });
      this.#refresh();
      brief = Date.now() - started < LASTING ? brief + 1 : 0;
      await pause(backoffDelay(brief), signal);
      const next = await this.#enter();
      if (next === null) return;
      admission = next;
    }
  }

  /** Asks for a media token until there is one; null when the call is over instead. */
  async #enter(): Promise<(Admission & { state: 'admitted' }) | null> {
    const { signal } = this.#lifetime;
    for (let failures = 0; !signal.aborted; failures += 1) {
      await pause(backoffDelay(failures), signal);
      if (signal.aborted) return null;
      try {
        const admission = await this.#ports.api.enter({ params: { meetId: this.#meetId } });
        if (admission.state === 'admitted') return admission;
        this.#store.set({ phase: 'waiting' });
        return null;
      } catch (error) {
        const end = error instanceof ApiError ? FINAL[error.code] : undefined;
        if (end !== undefined) {
          this.#finish(end);
          return null;
        }
        if (!(error instanceof ApiError)) throw error;
      }
    }
    return null;
  }

  #localChanged(): void {
    const { speakerId } = this.#local.store.getSnapshot();
    this.#session?.publish(this.#outgoing());
    if (this.#session !== null && speakerId !== this.#speakerId) {
      this.#speakerId = speakerId;
      void this.#session.setSpeaker(speakerId);
    }
    this.#planRefresh();
  }

  #outgoing(): Outgoing {
    const { camera, microphone, screen } = this.#local.store.getSnapshot();
    return {
      camera: camera.on ? camera.track : null,
      microphone: microphone.on ? microphone.track : null,
      screen: screen.video,
      screenAudio: screen.audio,
    };
  }

  #refused(source: MediaSource, why: Refusal): void {
    if (source === 'screen') this.#local.stopShare();
    if (source === 'camera' || source === 'microphone') void this.#local.setOn(source, false);
    this.#notify({ kind: 'refused', source, why });
  }

  // --- conference

  #openPush(): void {
    this.#link?.close();
    this.#link = new ConferenceLink(this.#ports.openPush(), this.#meetId, {
      onState: (conference) => this.#conferenceChanged(conference),
      onEvent: (event, before) => this.#tell(event, before),
      onWaiting: ({ type }) => {
        if (type === 'admitted') void this.#admitted();
        else this.#finish(type);
      },
      onLink: (push) => this.#store.set({ push }),
      onRefused: () => void this.#pushRefused(),
    });
  }

  async #admitted(): Promise<void> {
    const admission = await this.#enter();
    if (admission === null) return;
    // The socket of somebody waiting gets no state; a new one does.
    this.#openPush();
    this.#activate(admission);
  }

  /** `enter` tells why; where it sees nothing wrong, the socket is opened anew. */
  async #pushRefused(): Promise<void> {
    this.#store.set({ push: 'reconnecting' });
    const waiting = this.#state.phase === 'waiting';
    const admission = await this.#enter();
    if (this.#lifetime.signal.aborted) return;
    this.#openPush();
    if (waiting && admission !== null) this.#activate(admission);
  }

  #conferenceChanged(conference: ConferenceState): void {
    const { conference: before, outgoing, unread } = this.#state;
    const known = new Set(before?.messages.map((each) => each.id));
    const fresh = before === null ? 0 : conference.messages.filter((each) => !known.has(each.id) && each.termId !== this.#termId).length;
    const confirmed = new Set(conference.messages.map((each) => each.id));
    this.#store.set({
      conference,
      unread: this.#chatOpen ? 0 : unread + fresh,
      outgoing: outgoing.some((each) => confirmed.has(each.id)) ? outgoing.filter((each) => !confirmed.has(each.id)) : outgoing,
    });
    this.#refresh();
  }

  #tell(event: ConferenceEvent, before: ConferenceState): void {
    switch (event.type) {
      case 'ended':
        this.#finish('ended');
        return;
      case 'terminalJoined':
        if (event.terminal.termId !== this.#termId) this.#notify({ kind: 'joined', name: event.terminal.name });
        return;
      case 'terminalLeft': {
        const terminal = before.terminals.find((each) => each.termId === event.termId);
        if (terminal !== undefined && terminal.termId !== this.#termId) this.#notify({ kind: 'left', name: terminal.name });
        return;
      }
      case 'terminalChanged': {
        const { termId, name, handRaisedAt } = event.terminal;
        const wasRaised = before.terminals.some((each) => each.termId === termId && each.handRaisedAt !== null);
        if (handRaisedAt !== null && !wasRaised && termId !== this.#termId) this.#notify({ kind: 'handRaised', name });
        return;
      }
      case 'waitingAdded':
        this.#notify({ kind: 'waiting', name: event.terminal.name });
        return;
      case 'chat':
        if (event.message.termId !== this.#termId && !this.#chatOpen) this.#notify({ kind: 'chat', name: event.message.name, text: event.message.text });
        return;
      case 'waitingRemoved':
    }
  }

  #notify(notice: DistributiveOmit<CallNotice, 'id'>): void {
    const numbered: CallNotice = { ...notice, id: ++this.#notices };
    this.#store.set({ notices: [...this.#state.notices, numbered].slice(-NOTICES_KEPT) });
  }

  // --- pictures

  #speakersChanged(termIds: string[]): void {
    this.#store.set({ speakers: updateSpeakers(this.#state.speakers, termIds, Date.now()) });
    clearInterval(this.#speakerTimer);
    if (termIds.length > 0) {
      this.#speakerTimer = setInterval(() => this.#store.set({ speakers: tickSpeakers(this.#state.speakers, Date.now()) }), SPEAKER_TICK);
    }
    this.#refresh();
  }

  /** The media client tells many changes in one go; they make one refresh. */
  #planRefresh(): void {
    if (this.#refreshPlanned) return;
    this.#refreshPlanned = true;
    queueMicrotask(() => {
      this.#refreshPlanned = false;
      this.#refresh();
    });
  }

  #refresh(): void {
    if (this.#lifetime.signal.aborted) return;
    const { conference, speakers, tiles: previous } = this.#state;
    const { camera, microphone, screen } = this.#local.store.getSnapshot();
    const tiles = buildTiles({
      ownTermId: this.#termId,
      ownName: this.#name,
      conference,
      participants: this.#session?.participants() ?? [],
      own: {
        camera: camera.on && camera.track !== null ? this.#local.handleOf(camera.track) : null,
        screen: screen.video === null ? null : this.#local.handleOf(screen.video),
        microphoneOn: microphone.on && microphone.track !== null,
        quality: this.#session?.ownQuality() ?? 'unknown',
      },
      speaking: speakers.speaking,
      previous,
    });
    this.#store.set({ tiles, speakers: keepSpeakers(speakers, new Set(tiles.map((tile) => tile.termId))) });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function newMessageId(): string {
  return crypto.randomUUID();
}
