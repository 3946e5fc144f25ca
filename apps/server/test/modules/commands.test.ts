import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { commandRequest, contract, type CommandRequest, type CommandRequestInput, type Route } from '@rmeet/contract';
import { auditAction } from '../../src/modules/conferences/commands/audit-action.ts';
import { DOCUMENT_CALLS, requestOf } from '../../src/modules/conferences/commands/document-calls.ts';
import { auditLog } from '../../src/modules/audit/tables.ts';
import { codeOf, signIn, type Person } from './support/client.ts';
import { openConference, type Inside, type TestConference } from './support/conference.ts';
import { invite } from './support/meetings.ts';
import { startTestServer, type TestServer } from './support/server.ts';

/** What a call asks for with the example of its route. */
function exampleRequest(call: (typeof DOCUMENT_CALLS)[number]): [meetId: string, request: CommandRequest] {
  const route: Route = contract.conferences[call];
  const example = route.example as Record<string, unknown>;
  const parts = Object.entries(route.input as Record<string, z.ZodType>);
  return requestOf(call, Object.fromEntries(parts.map(([part, schema]) => [part, schema.parse(example[part])])));
}

describe('calls of the product document', () => {
  test.each(DOCUMENT_CALLS)('%s becomes a valid request, recorded under a call of the same verb', (call) => {
    const [meetId, request] = exampleRequest(call);
    expect(z.uuid().safeParse(meetId).success).toBe(true);
    expect(commandRequest.parse(request)).toEqual(request);
    expect(auditAction(request)).not.toBe('conferences.command');
  });
});

describe('one command', () => {
  let server: TestServer;
  let alice: Person;
  let room: TestConference;
  let host: Inside;
  let member: Inside;
  const give = (who: Inside, body: CommandRequestInput) => who.calls.command({ params: { meetId: room.meetId }, body });

  beforeAll(async () => {
    server = await startTestServer();
    alice = await signIn(server, 'alice');
    room = await openConference(server, alice, { participants: invite(server, 'bob') });
    host = await room.join(alice);
    member = await room.join(await signIn(server, 'bob'));
  });
  afterAll(async () => {
    await room.close();
    await server.close();
  });

  test('has the same verb in the request, the log and the audit log', async () => {
    const answer = await give(host, { verb: 'mute', termIds: [member.termId], muted: true });
    expect(answer).toMatchObject({ affected: [member.termId] });
    expect((await room.log()).at(-1)).toMatchObject({
      id: answer?.commandId,
      verb: 'mute',
      command: { verb: 'mute', termIds: [member.termId], muted: true },
    });
    const [row] = (await server.db.platform((tx) => tx.find(auditLog))).slice(-1);
    expect(row).toMatchObject({ action: 'conferences.termMute', after: { verb: 'mute', muted: true } });
  });

  test('is completed by the server: times, and exceptions from muting', async () => {
    await give(host, { verb: 'timer', seconds: 60 });
    expect((await room.log()).at(-1)?.command).toMatchObject({ verb: 'timer', termId: null, at: expect.any(String) });
    await give(host, { verb: 'muteAll', muted: true });
    expect((await room.log()).at(-1)?.command).toMatchObject({ verb: 'muteAll', except: [host.termId] });
  });

  test('is refused without the right, for verbs of the server and for wrong fields', async () => {
    expect(await codeOf(give(member, { verb: 'lock', locked: true }))).toBe('FORBIDDEN');
    expect(await codeOf(give(host, { verb: 'depart', termIds: [member.termId] } as never))).toBe('INVALID_INPUT');
    expect(await codeOf(give(host, { verb: 'volume', termId: member.termId, volume: 101 }))).toBe('INVALID_INPUT');
    expect(await codeOf(give(host, { verb: 'mute', termIds: ['nobody'], muted: true }))).toBe('TERMINAL_ABSENT');
  });
});
