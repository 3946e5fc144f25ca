import { NO_CONTROL, SILENCE, type ConferenceControl } from '@rmeet/conference';
import type {
  Admission,
  ConferenceEvent,
  ConferenceState,
  ControlStep,
  TerminalReport,
  WaitingEvent,
} from '@rmeet/contract';
import { ApiError } from '../lib/api/error.ts';
import type { FileSource } from '../lib/files.ts';
import type { Obeyed } from '../lib/push/index.ts';
import { backoffDelay, pause } from './backoff.ts';
import { clockAhead } from './clock.ts';
import { throttle, FRAME } from './throttle.ts';
import { isBlindTo } from './codecs.ts';
import type { CallEnd, CallNotice, CallPorts, CallSnapshot, ReadableConference } from './call-types.ts';
import { Chat, type SayOptions } from './chat.ts';
import { ConferenceLink } from './conference-link.ts';
import { endOf, isBeforeTime, StayMeter } from './call-end.ts';
import { picturesIn, sentHeight, type DataMode } from './data-mode.ts';
import { enterUntilAnswered } from './enter.ts';
import { ActiveSpeakers } from './active-speakers.ts';
import { RoomMigration } from './room-migration.ts';
import type { LocalMedia } from './local-media.ts';
import type {
  CameraOptions,
  MediaParticipant,
  MediaSession,
  MediaSource,
  OpenMediaSession,
  Refusal,
} from './media-types.ts';
import { chatNotice, noticeOf, type NewNotice } from './notices.ts';
import {
  NO_HOLDS,
  heldOf,
  HOLDABLE,
  whenApplied,
  isOnAir,
  outgoingOf,
  sourcesOf,
  volumeIn,
  releaseFailure,
} from './moderation.ts';
import { PictureRequests } from './pictures.ts';
import { Reactions } from './reactions.ts';
import { startReports } from './reporter.ts';
import { SealedMessages } from './sealed-messages.ts';
import { Store, type ReadableStore } from './store.ts';
import { buildTiles, ownMediaOf } from './tiles.ts';

type Admitted = Admission & { state: 'admitted' };

/** The state of a terminal that is not in the conference. */
const OUTSIDE = {
  phase: 'waiting',
  media: 'connecting',
  conference: null,
  control: NO_CONTROL,
  held: NO_HOLDS,
  onAir: false,
  unmuteAsked: false,
  contentAsked: false,
} as const;

const NOTICES_KEPT = 30;
/** A media session that lasts this long, in ms, resets the backoff. */
const LASTING = 5_000;

/**
 * One terminal's call in one conference, from admission to its end. Owns the media sessions and the push socket, uses
 * the local media, and keeps both connections up: the media client reconnects by itself, and when it gives up, a new
 * session is opened, as long as the conference runs.
 */
export class Call {
  readonly #ports: CallPorts;
  readonly #local: LocalMedia;
  readonly #meetId: string;
  readonly #termId: string;
  readonly #name: string;
  readonly #lifetime = new AbortController();
  /** Notifies one frame late, so that commands are applied and acknowledged before they are drawn. */
  readonly #store = new Store<CallSnapshot>(
    {
      ...OUTSIDE,
      end: null,
      stay: null,
      reason: '',
      canReturn: true,
      sentBack: false,
      awaitsHost: false,
      push: 'connecting',
      tiles: [],
      speakers: SILENCE,
      outgoing: [],
      unread: 0,
      reactions: [],
      callsChanged: 0,
      audioBlocked: false,
      blind: false,
      e2ee: false,
      undecryptable: [],
      unreached: [],
      dataMode: 'full',
      notices: [],
      clockAhead: null,
      ownCommand: false,
    },
    FRAME,
  );
  readonly #chat: Chat;
  readonly #sealed: SealedMessages | null;
  /** The state as the server sent it, with encrypted texts if the conference is encrypted. */
  #received: ConferenceState | null = null;
  /** Encrypted messages that are not news, and those that are to be announced once they can be read. */
  readonly #oldMessages = new Set<string>();
  readonly #unannounced = new Set<string>();
  readonly #reactions = new Reactions((reactions) => this.#store.set({ reactions }));
  /** The media client reports many changes at once; they cause one refresh. */
  readonly #planRefresh = throttle(() => this.#refresh(), FRAME);
  readonly #activeSpeakers = new ActiveSpeakers((speakers) => {
    this.#store.set({ speakers });
    if (this.#state.dataMode === 'low') this.#askPictures();
    this.#planRefresh();
  });
  /** Aborted when the terminal leaves or is sent back to the waiting room. */
  #presence = new AbortController();
  /** The pictures that the stage shows, or will show at the next turn. */
  readonly pictures = new PictureRequests(() => this.#askPictures());
  readonly #statistics = new Store<{ report: TerminalReport | null }>({ report: null });
  readonly #migration: RoomMigration;
  #key: string | undefined;
  #session: MediaSession | null = null;
  #link: ConferenceLink | null = null;
  #speakerId: string | null = null;
  #notices = 0;
  /** We gave the command to end the conference. */
  #isEnding = false;
  readonly #stay = new StayMeter();

  /** `name` is our display name until the conference state arrives. */
  constructor(admission: Admission, name: string, local: LocalMedia, ports: CallPorts) {
    this.#ports = ports;
    this.#local = local;
    this.#meetId = admission.meetId;
    this.#termId = admission.termId;
    this.#name = name;
    this.#migration = new RoomMigration(ports.api, this.#meetId);
    this.#key = admission.e2ee ? keyOf(ports) : undefined;
    this.#sealed = this.#key === undefined ? null : new SealedMessages(this.#key, () => this.#messagesOpened());
    this.#chat = new Chat(this.#store, ports, admission, this.#sealed);
    this.#lifetime.signal.addEventListener('abort', () => this.#chat.stop());
    this.#store.set({ e2ee: admission.e2ee });
    const stopListening = local.store.subscribe(() => this.#localChanged());
    this.#lifetime.signal.addEventListener('abort', stopListening);
    this.#openPush();
    if (admission.state === 'admitted') this.#activate(admission);
    else this.#store.set({ awaitsHost: admission.awaitsHost });
  }

  get store(): ReadableStore<CallSnapshot> {
    return this.#store;
  }

  /** What was last measured of our own media, every two seconds; apart, because only one view shows it. */
  get statistics(): ReadableStore<{ report: TerminalReport | null }> {
    return this.#statistics;
  }

  get meetId(): string {
    return this.#meetId;
  }

  get termId(): string {
    return this.#termId;
  }

  get #state(): CallSnapshot {
    return this.#store.getSnapshot();
  }

  /** Leaves and notifies the server. */
  async leave(): Promise<void> {
    if (this.#state.phase === 'over') return;
    this.#finish('left');
    try {
      await this.#ports.api.leave({ params: { meetId: this.#meetId } });
    } catch (error) {
      // The server also notices the closed connections; only unexpected errors are thrown.
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** Ends the conference for all. Rejects if the server does not allow it. */
  async end(): Promise<void> {
    const { conference, clockAhead: ahead } = this.#state;
    // The event may arrive before the answer.
    this.#isEnding = true;
    try {
      await this.#ports.api.end({ params: { meetId: this.#meetId } });
    } catch (error) {
      this.#isEnding = false;
      throw error;
    }
    this.#finish(isBeforeTime(conference, Date.now() + (ahead ?? 0)) ? 'early' : 'endedByMe');
  }

  /** The API with this terminal's credentials; chair commands use it directly. */
  get api(): CallPorts['api'] {
    return this.#ports.api;
  }

  /** The files of the chat. */
  get files(): FileSource {
    return this.#ports.files;
  }

  /**
   * Releases our own mute if the chair allows it or has asked for it, and switches the microphone on. Rejects with
   * SELF_UNMUTE_FORBIDDEN.
   */
  async unmute(): Promise<void> {
    await this.#ports.api.selfUnmute({ params: { meetId: this.#meetId } });
    await this.#local.setOn('microphone', true);
  }

  /** Sends the chair one message from the waiting room. Rejects with MESSAGE_SENT_ALREADY. */
  async knock(text: string): Promise<void> {
    await this.#ports.api.knock({ params: { meetId: this.#meetId }, body: { text } });
  }

  async raiseHand(raised: boolean): Promise<void> {
    await this.#ports.api.hand({ params: { meetId: this.#meetId }, body: { raised } });
  }

  /** `reason` is shown to the refused terminals. */
  async admit(termIds: string[], admit: boolean, reason = ''): Promise<void> {
    await this.#ports.api.admit({ params: { meetId: this.#meetId }, body: { termIds, admit, reason } });
  }

  /** Sends a chat message; one that fails stays in `outgoing` as failed. */
  say(text: string, options?: SayOptions): Promise<void> {
    return this.#chat.say(text, options);
  }

  /** Uses another key for media and chat of an encrypted conference. */
  rekey(key: string): void {
    if (this.#key === undefined) return;
    this.#key = key;
    if (this.#received !== null) this.#rememberMessages(this.#received);
    this.#session?.rekey(key);
    this.#sealed?.rekey(key);
  }

  /** Gives up an own message that is not confirmed: what is being sent of its file is dropped. */
  takeBack(id: string): void {
    this.#chat.takeBack(id);
  }

  /** While the chat is open, no message counts as unread. */
  setChatOpen(open: boolean): void {
    this.#chat.setOpen(open);
  }

  /** Sets how much data this call may use. With `audio`, the own camera and a share end. */
  setDataMode(dataMode: DataMode): void {
    if (dataMode === this.#state.dataMode) return;
    this.#store.set({ dataMode });
    if (dataMode === 'audio') {
      this.#local.stopShare();
      void this.#local.setOn('camera', false);
    }
    this.#session?.economise(dataMode);
    this.#askPictures();
    this.#publish();
    void this.#session?.limit(this.#sentHeight(this.#state.control));
  }

  /** Starts audio playback; must be called from a click. */
  async startAudio(): Promise<void> {
    await this.#session?.startAudio();
  }

  #activate(admission: Admitted): void {
    // Cameras also send VP8 while a receiver needs it, unless they are end-to-end encrypted.
    const blind = isBlindTo(admission.camera.codec) && (admission.e2ee || isBlindTo('vp8'));
    this.#store.set({ phase: 'active', sentBack: false, awaitsHost: false, blind });
    this.#presence = new AbortController();
    this.#stay.begin(Date.now());
    this.#refresh();
    void this.#runMedia(admission, this.#presence.signal);
  }

  #finish(end: CallEnd, more: Partial<Pick<CallSnapshot, 'reason' | 'canReturn'>> = {}): void {
    if (this.#lifetime.signal.aborted) return;
    this.#lifetime.abort();
    this.#presence.abort();
    this.#activeSpeakers.stop();
    this.pictures.close();
    this.#link?.close();
    void this.#session?.stop();
    this.#stay.pause(Date.now());
    this.#store.set({ phase: 'over', end, stay: this.#stay.stay, ...more });
  }

  // --- media

  /** Runs media sessions one after another until the call ends or the terminal is sent back. */
  async #runMedia(first: Admitted, presence: AbortSignal): Promise<void> {
    const openSession = await this.#ports.loadMedia();
    let admission = first;
    /** Consecutive sessions that did not last. */
    let brief = 0;
    while (!presence.aborted) {
      const started = Date.now();
      this.#migration.begin(admission.generation);
      const session = this.#openSession(openSession, admission.camera);
      const reporter = startReports(session, {
        handleReport: (report) => {
          this.#link?.report(report);
          this.#statistics.set({ report });
        },
        handleUnreached: (unreached) => this.#store.set({ unreached }),
        isSpeaking: () => this.#activeSpeakers.state.speaking.has(this.#termId),
      });
      const end = await session.run(admission.url, admission.token);
      reporter.stop();
      if (presence.aborted) return;
      this.#session = null;
      if (end === 'elsewhere') {
        this.#finish('elsewhere');
        return;
      }
      this.#store.set({ media: this.#state.media === 'connecting' ? 'connecting' : 'reconnecting' });
      this.#refresh();
      brief = end === 'removed' || Date.now() - started < LASTING ? brief + 1 : 0;
      await pause(backoffDelay(brief), presence);
      const next = await this.#enter(presence);
      if (next === null) return;
      admission = next;
    }
  }

  /** Opens a session with the current volumes, layers and holds applied. */
  #openSession(open: OpenMediaSession, camera: CameraOptions): MediaSession {
    const session = open(
      {
        onChange: () => this.#planRefresh(),
        onSpeakers: (termIds) => this.#activeSpeakers.heard(termIds),
        onState: (media) => this.#store.set({ media }),
        onAudioBlocked: (audioBlocked) => this.#store.set({ audioBlocked }),
        onRefused: (source, why) => this.#refused(source, why),
      },
      { camera, encryptionKey: this.#key },
    );
    const { control } = this.#state;
    this.#session = session;
    session.setVolumes(volumeIn(control));
    session.economise(this.#state.dataMode);
    this.#askPictures();
    void session.limit(this.#sentHeight(control));
    this.#localChanged();
    return session;
  }

  /** Requests a media token; null if the call is over, or the terminal must wait. */
  async #enter(signal: AbortSignal): Promise<Admitted | null> {
    const answer = await enterUntilAnswered(this.#ports.api, this.#meetId, signal);
    if (answer === null || signal.aborted) return null;
    if (typeof answer === 'string') this.#finish(answer);
    else if (answer.state === 'admitted') return answer;
    else if (this.#state.phase === 'active') this.#sendBack();
    else this.#store.set({ awaitsHost: answer.awaitsHost });
    return null;
  }

  #localChanged(): void {
    const { speakerId } = this.#local.store.getSnapshot();
    this.#publish();
    if (this.#session !== null && speakerId !== this.#speakerId) {
      this.#speakerId = speakerId;
      void this.#session.setSpeaker(speakerId);
    }
    this.#planRefresh();
  }

  #publish(): void {
    const outgoing = outgoingOf(this.#local.store.getSnapshot(), this.#state.held);
    this.#session?.publish(this.#state.dataMode === 'audio' ? { ...outgoing, camera: null, screen: null } : outgoing);
  }

  #refused(source: MediaSource, why: Refusal): void {
    // The engine may apply a hold before we receive it.
    if (source === 'screen') this.#local.stopShare();
    else if (source !== 'screenAudio' && this.#state.held[source]) return;
    if (source === 'camera' || source === 'microphone') void this.#local.setOn(source, false);
    this.#notify({ kind: 'refused', source, why });
  }

  #askPictures(): void {
    const { dataMode, speakers } = this.#state;
    const others = new Map([...this.pictures.asked].filter(([key]) => key !== this.#termId));
    this.#session?.ask(dataMode === 'full' ? this.pictures.asked : picturesIn(dataMode, others, speakers.recent));
  }

  #sentHeight(control: ConferenceControl): number | null {
    return sentHeight(this.#state.dataMode, control.terminals[this.#termId]?.maxHeight ?? null);
  }

  // --- conference

  #openPush(): void {
    this.#link?.close();
    this.#link = new ConferenceLink(this.#ports.openPush(), this.#meetId, {
      onState: async (conference) => {
        if (this.#state.phase === 'waiting') {
          // Admitted while the socket was disconnected.
          await this.#admitted();
          return null;
        }
        await this.#sync(conference);
        return this.#applied(HOLDABLE);
      },
      onEvent: (event, conference, before) => this.#handleEvent(event, conference, before),
      onWaiting: (event) => this.#handleWaitingEvent(event),
      onLive: () => void (this.#state.phase === 'waiting' && this.#admitted()),
      onLink: (push) => this.#store.set({ push }),
      onRefused: () => void this.#pushRefused(),
    });
  }

  /** Events for this terminal only. */
  #handleWaitingEvent(event: WaitingEvent): void {
    if (event.type === 'admitted') void this.#admitted();
    else if (event.type === 'sentBack') this.#sendBack();
    else if (event.type === 'waitChanged') this.#store.set({ awaitsHost: event.awaitsHost });
    else if (event.type === 'refused') this.#finish('refused', { reason: event.reason });
    else if (event.type === 'removed') this.#finish('removed', { canReturn: event.canReturn });
    else this.#finish(endOf(event, this.#isEnding));
  }

  async #admitted(): Promise<void> {
    const admission = await this.#enter(this.#lifetime.signal);
    // Both an event and a snapshot can report the admission; two connections of one terminal would disconnect each
    // other.
    if (admission === null || this.#state.phase === 'active') return;
    // The socket of a waiting terminal receives no state; a new one does.
    this.#openPush();
    this.#activate(admission);
  }

  /** Back to the waiting room: no media is sent or received until the next admission. */
  #sendBack(): void {
    this.#presence.abort();
    this.#stay.pause(Date.now());
    void this.#session?.stop();
    this.#session = null;
    this.#local.stopShare();
    this.#store.set({ ...OUTSIDE, sentBack: true });
    this.#activeSpeakers.stop();
    this.#refresh();
    this.#openPush();
  }

  /** Asks `enter` for the reason; if it reports none, the socket is reopened. */
  async #pushRefused(): Promise<void> {
    this.#store.set({ push: 'reconnecting' });
    const waiting = this.#state.phase === 'waiting';
    const admission = await this.#enter(this.#lifetime.signal);
    if (this.#lifetime.signal.aborted) return;
    this.#openPush();
    if (waiting && admission !== null && this.#state.phase === 'waiting') this.#activate(admission);
  }

  /** Commands that affect this terminal are acknowledged once they are applied. */
  #handleEvent(event: ConferenceEvent, conference: ConferenceState, before: ConferenceState): Obeyed | undefined {
    if (event.type === 'reaction') {
      const { clockAhead: ahead, control } = this.#state;
      const name = control.terminals[event.termId]?.name ?? '';
      this.#reactions.add({ ...event, name }, Date.now() + (ahead ?? 0) - Date.parse(event.at));
      return undefined;
    }
    if (event.type === 'callsChanged') {
      this.#store.set({ callsChanged: this.#state.callsChanged + 1 });
      return undefined;
    }
    if ('step' in event)
      this.#store.set({
        clockAhead: clockAhead(this.#state.clockAhead, event.step.at, Date.now()),
        ownCommand: event.step.by.termId === this.#termId,
      });
    const followed = this.#sync(conference);
    this.#announce(event, before);
    if (event.type === 'ended') this.#finish(endOf(event, this.#isEnding));
    return 'step' in event && event.step.affected.includes(this.#termId)
      ? this.#applyStep(event.step, followed)
      : undefined;
  }

  /** An encrypted chat message is announced once it can be read. */
  #announce(event: ConferenceEvent, before: ConferenceState): void {
    if (event.type === 'chat' && this.#sealed !== null) {
      this.#unannounced.add(event.message.id);
      return;
    }
    const notice = noticeOf(event, before, this.#termId);
    if (notice !== null && !(notice.kind === 'chat' && this.#chat.isOpen)) this.#notify(notice);
  }

  /** Applies the state; resolves when our camera's layers are set, which the browser does asynchronously. */
  async #sync(conference: ConferenceState): Promise<void> {
    const { control: before, conference: old, held } = this.#state;
    const { control } = conference;
    const own = control.terminals[this.#termId];
    this.#stay.saw(conference.terminals.length);
    if (this.#sealed !== null && this.#received === null) this.#rememberMessages(conference);
    this.#received = conference;
    const readable = this.#readable(conference);
    this.#store.set({
      conference: readable,
      control,
      held: heldOf(control, this.#termId, held),
      onAir: isOnAir(control, this.#termId),
      unmuteAsked: own?.unmuteAsked ?? false,
      contentAsked: own?.contentAsked ?? false,
    });
    this.#chat.follow(readable, old);
    this.#endHeldShare(held.content);
    this.#publish();
    this.#refresh();
    void this.#migration.follow(control.generation, this.#session);
    if (control.terminals === before.terminals) return;
    this.#session?.setVolumes(volumeIn(control));
    await this.#session?.limit(this.#sentHeight(control));
  }

  #readable(conference: ConferenceState): ReadableConference {
    return this.#sealed === null ? conference : { ...conference, messages: this.#sealed.read(conference.messages) };
  }

  /** Further messages of an encrypted chat can be read. */
  #messagesOpened(): void {
    const { conference: old } = this.#state;
    if (this.#received === null || old === null) return;
    const conference = { ...old, messages: this.#readable(this.#received).messages };
    const known = [...old.messages, ...conference.messages.filter(({ id }) => this.#oldMessages.has(id))];
    this.#store.set({ conference });
    this.#chat.follow(conference, { ...old, messages: known });
    for (const message of conference.messages) {
      if (!this.#unannounced.delete(message.id) || this.#chat.isOpen || message.unreadable === true) continue;
      const notice = chatNotice(message, this.#termId);
      if (notice !== null) this.#notify(notice);
    }
  }

  #rememberMessages({ messages }: ConferenceState): void {
    for (const { id } of messages) this.#oldMessages.add(id);
  }

  /** Ends a held share; the user can share again once it is allowed. The engine may have ended it just before. */
  #endHeldShare(before: CallSnapshot['held']['content']): void {
    const {
      held: { content },
      notices,
    } = this.#state;
    const { screen } = this.#local.store.getSnapshot();
    if (content === null) return;
    const last = notices.at(-1);
    const wasEnded = before === null && last?.kind === 'refused' && last.source === 'screen';
    if (screen.video !== null || wasEnded) this.#notify({ kind: 'shareEnded', why: content });
    if (screen.video !== null || screen.pending) this.#local.stopShare();
  }

  /** Resolves when the sources that a step holds are off and those it releases are sent again. */
  async #applyStep(step: ControlStep, followed: Promise<void>): Obeyed {
    await followed;
    return (
      releaseFailure(step, this.#local.store.getSnapshot(), this.#state.held) ??
      this.#applied(
        sourcesOf(step),
        step.changes.some(({ field }) => field === 'generation'),
      )
    );
  }

  /** Resolves when the media is in the newest room with the requested sources applied. */
  async #applied(sources: readonly MediaSource[], isMove = false): Obeyed {
    const session = this.#session;
    const moved = await this.#migration.follow(this.#state.control.generation, session);
    if (typeof moved === 'string') return this.#session === session ? moved : null;
    return (await whenApplied(session, sources, () => this.#session !== session)) ?? (isMove ? moved : null);
  }

  #notify(notice: NewNotice): void {
    const numbered: CallNotice = { ...notice, id: ++this.#notices };
    this.#store.set({ notices: [...this.#state.notices, numbered].slice(-NOTICES_KEPT) });
  }

  // --- pictures

  #refresh(): void {
    if (this.#lifetime.signal.aborted) return;
    const { conference, held, speakers, tiles: previous } = this.#state;
    const participants = this.#session?.participants() ?? [];
    const tiles = buildTiles({
      conference,
      participants,
      own: { termId: this.#termId, name: this.#name, ...ownMediaOf(this.#local, held, this.#session) },
      speaking: speakers.speaking,
      previous,
    });
    this.#store.set({ tiles, undecryptable: undecryptableIn(participants, this.#state.undecryptable) });
    this.#activeSpeakers.keep(new Set(tiles.map((tile) => tile.termId)));
  }
}

/** The key of an encrypted conference, without which the server admits no one. */
function keyOf({ meetingKey }: CallPorts): string {
  if (typeof meetingKey !== 'string') throw new Error('The conference is encrypted, and there is no key.');
  return meetingKey;
}

/** Whose media cannot be decrypted; the same array as before if nothing has changed. */
function undecryptableIn(participants: readonly MediaParticipant[], before: readonly string[]): readonly string[] {
  const termIds = participants.flatMap(({ undecryptable, termId }) => (undecryptable === true ? [termId] : []));
  return termIds.join(' ') === before.join(' ') ? before : termIds;
}
