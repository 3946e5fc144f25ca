import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allRows, closePage, createApi, openPage, until } from '@rmeet/testkit';
import { ConferenceRecorder } from '@rmeet/recorder';
import type { Page } from '@playwright/test';
import { expect, people, seesNothingOf, seesPeople, test, type Attendee } from './support.ts';

const newKey = (): string => randomBytes(32).toString('base64url');

/** Everything that pages send to and receive from servers. */
class Traffic {
  readonly #seen: string[] = [];

  readonly watch = (page: Page): void => {
    page.on('request', (request) => {
      this.#seen.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers()));
    });
    page.on('websocket', (socket) => {
      this.#seen.push(socket.url());
      const see = ({ payload }: { payload: string | Buffer }) => void this.#seen.push(payload.toString('latin1'));
      socket.on('framesent', see);
      socket.on('framereceived', see);
    });
  };

  text(): string {
    return this.#seen.join('\n');
  }
}

async function say(page: Page, text: string): Promise<void> {
  await openChat(page);
  await page.getByTestId('chat-input').fill(text);
  await page.keyboard.press('Enter');
}

async function openChat(page: Page): Promise<void> {
  if (!(await page.getByTestId('chat-panel').isVisible())) await page.getByTestId('toolbar-chat').click();
}

/** What a LiveKit client without any key shows of a camera: its average colour, once there are pictures. */
async function pictureWithoutKey(page: Page, access: { url: string; token: string }, sender: string) {
  const client = dirname(createRequire(import.meta.url).resolve('livekit-client'));
  await page.evaluate(await readFile(join(client, 'livekit-client.umd.js'), 'utf8'));
  await page.evaluate<void>(`(async () => {
    const { Room, RoomEvent } = LivekitClient;
    const room = new Room();
    room.on(RoomEvent.TrackSubscribed, (track, publication, participant) => {
      if (track.kind !== 'video' || participant.identity !== ${JSON.stringify(sender)}) return;
      globalThis.intruded = { track, publication };
      document.body.append(track.attach());
    });
    await room.connect(${JSON.stringify(access.url)}, ${JSON.stringify(access.token)});
  })()`);
  await until('encrypted packets arrive', async () => {
    const packets = await page.evaluate<number>(`(async () => {
      let count = 0;
      const report = await globalThis.intruded?.track.getRTCStatsReport();
      report?.forEach(({ packetsReceived = 0 }) => count += packetsReceived);
      return count;
    })()`);
    return packets > 30;
  });
  return page.evaluate<{ encrypted: boolean; colour: number[] }>(`(() => {
    const canvas = new OffscreenCanvas(1, 1);
    const context = canvas.getContext('2d');
    context.drawImage(document.querySelector('video'), 0, 0, 1, 1);
    return {
      encrypted: globalThis.intruded.publication.isEncrypted,
      colour: [...context.getImageData(0, 0, 1, 1).data].slice(0, 3),
    };
  })()`);
}

test('an end-to-end encrypted meeting is for those who have its key', async ({ gather, server, chromium }) => {
  const [key, wrongKey] = [newKey(), newKey()];
  const traffic = new Traffic();
  const meeting = await gather({ e2ee: true });
  const chair = await meeting.enter('chair', { key, onPage: traffic.watch });
  const alice = await meeting.enter('alice', { key, typesKey: true, onPage: traffic.watch });

  await test.step('with the key, people see each other, and the address does not show the key', async () => {
    await seesPeople(chair.page, ['alice']);
    await seesPeople(alice.page, ['chair']);
    for (const { page } of [chair, alice]) {
      await expect(page.getByTestId('encrypted')).toBeVisible();
      expect(page.url()).not.toContain(key);
    }
  });
  await test.step('the host reads why it cannot be recorded', async () => {
    await chair.page.getByTestId('host-menu').click();
    const record = chair.page.getByTestId('host-record-start');
    await expect(record).toHaveAttribute('aria-disabled', 'true');
    await expect(record).toContainText('End-to-end encrypted meetings cannot be recorded');
    await chair.page.keyboard.press('Escape');
  });
  await test.step('the chat is readable with the key', async () => {
    await say(alice.page, 'The patient is stable');
    await openChat(chair.page);
    await expect(chair.page.getByTestId('chat-panel')).toContainText('The patient is stable');
  });

  const bob = await meeting.enter('bob', { key: wrongKey, onPage: traffic.watch });
  const banner = (who: Attendee) => who.page.locator('[data-testid=call-banner][data-state=key]');
  await test.step('with a wrong key nothing is seen or read, and both sides see a message', async () => {
    await expect(banner(bob)).toContainText('cannot be decrypted');
    await expect(banner(chair)).toContainText('Pictures and sound of Bob cannot be decrypted');
    await seesNothingOf(bob.page, 'alice');
    await seesNothingOf(chair.page, 'bob');
    await say(bob.page, 'What do you say?');
    await expect(chair.page.getByTestId('chat-unreadable')).toHaveCount(1);
  });
  await test.step('a client without any key receives noise', async () => {
    const api = createApi(server.url);
    const body = { numericId: meeting.number, password: meeting.password, name: 'Mallory' };
    await expect(api.conferences.join({ body })).rejects.toThrow('This meeting is end-to-end encrypted.');
    const admission = await api.conferences.join({ body: { ...body, e2ee: true } });
    if (admission.state !== 'admitted') throw new Error('Mallory waits');
    const page = await openPage(chromium, { media: people.carol });
    await page.goto(`${server.url}/#/join`);
    const { encrypted, colour } = await pictureWithoutKey(page, admission, alice.termId);
    await closePage(page);
    expect(encrypted).toBe(true);
    // The red of Alice's camera: #c02020.
    expect(Math.abs(colour[0]! - 0xc0) < 40 && colour[1]! < 80 && colour[2]! < 80).toBe(false);
  });
  await test.step('with the right key, everything is there', async () => {
    await bob.page.getByTestId('key-change').click();
    await bob.page.getByTestId('key-input').fill(`https://meet.example.org/#/join?number=1&key=${key}`);
    await bob.page.getByTestId('key-apply').click();
    await seesPeople(bob.page, ['alice']);
    await seesPeople(chair.page, ['bob']);
    for (const who of [bob, chair]) await expect(banner(who)).toHaveCount(0);
    await say(bob.page, 'Now I can read you');
    await expect(chair.page.getByTestId('chat-panel')).toContainText('Now I can read you');
  });
  await test.step('the lock explains what is encrypted, and all have the same security code', async () => {
    const codes: string[] = [];
    for (const { page } of [chair, bob]) {
      await page.getByTestId('encrypted').click();
      await expect(page.getByTestId('encryption')).toContainText('recording');
      await expect(page.getByTestId('security-code')).toHaveText(/^\d{5}( \d{5}){3}$/);
      codes.push((await page.getByTestId('security-code').textContent()) ?? '');
      await page.keyboard.press('Escape');
    }
    expect(codes[0]).toBe(codes[1]);
  });
  await test.step('it cannot be recorded', async () => {
    const started = ConferenceRecorder.start({
      url: server.url,
      meetId: meeting.meetId,
      credentials: { token: meeting.host.token },
      folder: join(tmpdir(), meeting.meetId),
      index: null,
      startsAt: Date.now(),
      withTracks: false,
      onFile: () => undefined,
    });
    await expect(started).rejects.toThrow('End-to-end encryption is for network and video meetings only.');
  });
  await test.step('neither traffic, database nor log contains a key or a chat text', async () => {
    const stored = await allRows(server.databaseUrl ?? '');
    // The search works: these are there.
    expect(traffic.text()).toContain(meeting.number);
    expect(stored).toContain(meeting.number);
    expect(server.log()).toContain(meeting.meetId);
    for (const secret of [key, wrongKey, 'The patient is stable']) {
      expect(traffic.text().includes(secret)).toBe(false);
      expect(stored.includes(secret)).toBe(false);
      expect(server.log().includes(secret)).toBe(false);
    }
  });
});
