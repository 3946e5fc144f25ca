import { eq } from 'drizzle-orm';
import { PLATFORM_TENANT_ID } from '../../../src/modules/accounts/tenants/index.ts';
import { approvalRequest } from '../../../src/modules/approvals/tables.ts';
import { meeting } from '../../../src/modules/meetings/tables.ts';
import { meetingResource } from '../../../src/modules/resources/tables.ts';
import { tenant, tenantLogo } from '../../../src/modules/accounts/tenants/tables.ts';
import { account } from '../../../src/modules/accounts/users/tables.ts';
import { permission } from '../../../src/modules/accounts/permissions/tables.ts';
import { role } from '../../../src/modules/accounts/roles/tables.ts';
import { building, room } from '../../../src/modules/rooms/tables.ts';
import { session } from '../../../src/modules/accounts/auth/tables.ts';
import { registeredTerminal } from '../../../src/modules/terminals/tables.ts';
import { newId } from '../../../src/platform/db/index.ts';
import type { TestServer } from './server.ts';

let made = 0;
const next = (): number => (made += 1);

/** Unused rows for calls that change them; created in the database, because that is quick. */
export const fresh = {
  async account(
    server: TestServer,
    tenantId: string,
    values: Partial<typeof account.$inferInsert> = {},
  ): Promise<string> {
    const id = newId();
    await server.db.tenant(tenantId, (tx) =>
      tx.insert(account, {
        id,
        account: `fresh${next()}`,
        name: `Fresh ${made}`,
        passwordHash: '-',
        createdAt: server.clock.now(),
        ...values,
      }),
    );
    return id;
  },

  operator: (server: TestServer): Promise<string> => fresh.account(server, PLATFORM_TENANT_ID, { kind: 'operator' }),

  async tenant(server: TestServer): Promise<string> {
    const tenantId = newId();
    await server.db.platform((tx) =>
      tx.insert(tenant, { tenantId, name: `fresh ${next()}`, createdAt: server.clock.now() }),
    );
    return tenantId;
  },

  async logo(server: TestServer, tenantId: string): Promise<void> {
    await server.db.tenant(tenantId, (tx) =>
      tx.insert(tenantLogo, { type: 'image/png', data: 'iVBORw0KGgo=' }, 'nothing'),
    );
  },

  async role(server: TestServer): Promise<string> {
    const id = newId();
    await server.db.tenant(PLATFORM_TENANT_ID, (tx) =>
      tx.insert(role, { id, name: `Fresh ${next()}`, kind: 'user', createdAt: server.clock.now() }),
    );
    return id;
  },

  /** A permission without any grants. */
  async entry(server: TestServer): Promise<string> {
    const id = newId();
    await server.db.tenant(PLATFORM_TENANT_ID, (tx) =>
      tx.insert(permission, { id, type: 2, code: `fresh:n${next()}`, name: 'Fresh', createdAt: server.clock.now() }),
    );
    return id;
  },

  /** A further session of a person. */
  async session(server: TestServer, name: string): Promise<string> {
    const row = server.people.get(name);
    const id = newId();
    const at = server.clock.now();
    if (row) {
      await server.db.tenant(row.tenantId, (tx) =>
        tx.insert(session, {
          id,
          accountId: row.id,
          tokenHash: `fresh ${next()}`,
          address: '192.0.2.1',
          createdAt: at,
          lastSeenAt: at,
          expiresAt: new Date(at.getTime() + 3_600_000),
        }),
      );
    }
    return id;
  },

  /** A room in its own building. */
  async room(server: TestServer, tenantId: string, names: { name?: string; building?: string } = {}): Promise<string> {
    const [id, buildingId, createdAt] = [newId(), newId(), server.clock.now()];
    const [name, house] = [names.name ?? `Fresh ${next()}`, names.building ?? `Fresh ${next()}`];
    await server.db.tenant(tenantId, async (tx) => {
      await tx.insert(building, { id: buildingId, name: house, sortName: house, timeZone: 'UTC', createdAt });
      await tx.insert(room, {
        id,
        buildingId,
        name,
        sortName: name,
        floor: '1',
        sortFloor: '1',
        capacity: 8,
        createdAt,
      });
    });
    return id;
  },

  /** A media resource that everybody may book, with 50 ports. */
  async resource(
    server: TestServer,
    tenantId: string,
    values: Partial<typeof meetingResource.$inferInsert> = {},
  ): Promise<string> {
    const id = newId();
    await server.db.tenant(tenantId, (tx) =>
      tx.insert(meetingResource, {
        id,
        name: `Fresh ${next()}`,
        ports: 50,
        everybody: true,
        createdAt: server.clock.now(),
        ...values,
      }),
    );
    return id;
  },

  /** Makes a booked meeting wait for approval, as an important one. */
  async approval(server: TestServer, tenantId: string, meetingId: string): Promise<void> {
    await server.db.tenant(tenantId, async (tx) => {
      const [row] = await tx.update(meeting, { approval: 'waiting' }, eq(meeting.id, meetingId));
      if (!row) throw new Error('There is no such meeting.');
      const { startTime, duration, vip } = row;
      await tx.insert(approvalRequest, {
        meetingId,
        reasons: ['vip'],
        startTime,
        duration,
        vip,
        people: 2,
        askedAt: server.clock.now(),
      });
    });
  },

  async terminal(server: TestServer, tenantId: string): Promise<string> {
    const id = newId();
    const address = `fresh${next()}@example.org`;
    await server.db.tenant(tenantId, (tx) =>
      tx.insert(registeredTerminal, {
        id,
        name: `Fresh ${made}`,
        address,
        addressKey: address,
        kind: 'sip',
        createdAt: server.clock.now(),
      }),
    );
    return id;
  },
};
