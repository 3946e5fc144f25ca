import type { Meeting, MeetingBody } from '@rmeet/contract';
import type { Person } from './client.ts';
import type { TestServer } from './server.ts';

/** A meeting booked by a person: in an hour, for an hour, with a password, unless given otherwise. */
export function book(server: TestServer, host: Person, body: Partial<MeetingBody> = {}): Promise<Meeting> {
  return host.meetings.createNetwork({
    body: { subject: 'Ward round', startTime: server.clock.in(60), duration: 60, password: '4821', ...body },
  });
}

/** Invitations: accounts by name, mail addresses unchanged. */
export function invite(server: TestServer, ...names: string[]): MeetingBody['participants'] {
  return names.map((name) => {
    if (name.includes('@')) return { kind: 'mail', email: name };
    const id = server.people.get(name)?.id;
    if (!id) throw new Error(`There is no ${name}.`);
    return { kind: 'user', userId: id };
  });
}
