import { pathOf, watch, type PermissionCode } from '@rmeet/contract';
import type { RunningServer } from '@rmeet/testkit';

/** Gives an account a permission besides its roles. */
export async function grant(server: RunningServer, account: string, code: PermissionCode): Promise<void> {
  const admin = await server.api.as('admin');
  const { records } = await admin.users.list({ query: { keyword: account } });
  const { id } = records.find((one) => one.account === account)!;
  const { roleIds, permissionIds } = await admin.users.grants({ params: { id }, query: {} });
  const entry = (await admin.permissions.options({ query: {} })).find((one) => one.code === code)!;
  await admin.users.setGrants({ params: { id }, body: { roleIds, permissionIds: [...permissionIds, entry.id] } });
}

/** A viewer's page, as far as it asks for media. */
export async function viewerOf(server: RunningServer, id: string) {
  const { view } = await server.api.watch.open({ params: { id }, body: {} });
  const fetched = async (path: string): Promise<Response> => {
    const { sign } = await server.api.watch.state({ body: { view } });
    return fetch(`${server.url}${path}?${new URLSearchParams({ sign }).toString()}`);
  };
  const playlist = async (): Promise<string> => {
    const answer = await fetched(pathOf(watch.playlist, { params: { id } }));
    return answer.ok ? answer.text() : '';
  };
  return {
    playlist,
    state: () => server.api.watch.state({ body: { view } }),
    /** A film of the last complete segments that need the same initialization segment; null: there are fewer. */
    async film(count: number): Promise<Buffer | null> {
      const text = await playlist();
      const init = [...text.matchAll(/#EXT-X-MAP:URI="([^?"]+)/g)].at(-1)?.[1];
      const segments = [...text.matchAll(/^(segment-[^?]+)\?/gm)].map(([, name]) => name!);
      if (init === undefined || segments.length < count) return null;
      const files = [init, ...segments.slice(-count)];
      const read = async (file: string) =>
        Buffer.from(await (await fetched(pathOf(watch.media, { params: { id, file } }))).arrayBuffer());
      return Buffer.concat(await Promise.all(files.map(read)));
    },
    /** The name of the newest part, and its bytes. */
    async newest(): Promise<{ name: string; bytes: number }> {
      const names = [...(await playlist()).matchAll(/#EXT-X-PART:[^\n]*URI="([^?"]+)/g)];
      const name = names.at(-1)?.[1] ?? '';
      if (name === '') return { name, bytes: 0 };
      const answer = await fetched(pathOf(watch.media, { params: { id, file: name } }));
      return { name, bytes: answer.ok ? (await answer.arrayBuffer()).byteLength : 0 };
    },
  };
}

/** The number of the segment of a part. */
export const segmentOf = (name: string): number => Number(/^part-\d+-(\d+)-/.exec(name)?.[1]);
