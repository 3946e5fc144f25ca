import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '@rmeet/testkit';
import { installPackages } from '../../tools/browser.ts';

const run = promisify(execFile);

/**
 * The disk's state after a power loss: all data that the file system has sent to it, or only flushed data, as on a disk
 * whose write cache is lost.
 */
export const DEVICES = ['keeps its cache', 'loses its cache'] as const;
export type Device = (typeof DEVICES)[number];

const ROOM = '16G';
const SIZE = '3G';
const INNER_SIZE = '2G';
/**
 * ext4 with the least durability: nothing is written for a minute unless a program requests it, and renames flush
 * nothing.
 */
const FORGETFUL = 'loop,commit=60,data=writeback,noauto_da_alloc';
/** As root, and without background writes after the volume is created. */
const EXT4 = ['-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0,nodiscard'];
const XFS = ['-q', '-f', '-m', 'reflink=1'];

/** A mounted volume; the data folder is in `folder`. */
export interface Disk {
  folder: string;
  /** Flushes everything written so far to the disk. */
  sync(): Promise<void>;
  /** The state of the disk after a power loss at this moment, not mounted. Writers continue meanwhile. */
  powerLoss(): Promise<CutDisk>;
  /** Unmounts and removes it; no process may have a file open in it. */
  remove(): Promise<void>;
}

/** The state after a power loss. */
export interface CutDisk {
  /** Mounts it; the file systems recover from their journals. */
  mount(): Promise<Disk>;
}

/** Why disks cannot be created here, in a sentence; installs what is missing. */
export function disksMissing(): string | null {
  if (process.getuid?.() !== 0) return 'This soak attaches and mounts volumes, so it runs as root alone.';
  if (spawnSync('losetup', ['--find']).status !== 0) return 'This soak needs loop devices, and there are none here.';
  return spawnSync('mkfs.xfs', ['-V']).status === 0 ? null : installPackages(['xfsprogs'], 'the soak of power losses');
}

/** The place of the disks: a separate volume in a file, on which a file can be copied atomically (XFS with reflink). */
export class DiskRoom {
  readonly #base = mkdtempSync(join(tmpdir(), 'rmeet-power-'));
  /** Innermost last. */
  readonly #mounts: string[] = [];
  #made = 0;

  /** Creates the place. It must always be removed by `remove`. */
  static async make(): Promise<DiskRoom> {
    const room = new DiskRoom();
    try {
      // The database may run as another user.
      chmodSync(room.#base, 0o755);
      const image = join(room.#base, 'room.img');
      await run('truncate', ['-s', ROOM, image]);
      await run('mkfs.xfs', [...XFS, image]);
      await room.#mount('xfs', 'loop', image, join(room.#base, 'room'));
      return room;
    } catch (error) {
      room.remove();
      throw error;
    }
  }

  /** A new empty disk, mounted. */
  async disk(device: Device): Promise<Disk> {
    const image = this.#next();
    await run('truncate', ['-s', SIZE, image]);
    if (device === 'keeps its cache') {
      await run('mkfs.ext4', [...EXT4, image]);
    } else {
      await run('mkfs.xfs', [...XFS, image]);
      const cache = `${image}.cache`;
      await this.#mount('xfs', 'loop', image, cache);
      await run('truncate', ['-s', INNER_SIZE, join(cache, 'inner.img')]);
      await run('mkfs.ext4', [...EXT4, join(cache, 'inner.img')]);
      await this.#unmount(cache);
    }
    return this.#open(image, device);
  }

  /** Unmounts and removes everything, at once. */
  remove(): void {
    for (const mount of this.#mounts.splice(0).toReversed()) spawnSync('umount', ['--lazy', mount]);
    rmSync(this.#base, { recursive: true, force: true });
  }

  #next(): string {
    this.#made += 1;
    return join(this.#base, 'room', `disk-${this.#made}.img`);
  }

  /** A disk that loses its cache is a file on a separate volume: unflushed data is only in that volume's memory. */
  async #open(image: string, device: Device): Promise<Disk> {
    const cache = `${image}.cache`;
    const folder = `${image}.volume`;
    // The volume that this is a copy of may still be mounted, and has the same id.
    if (device === 'loses its cache') await this.#mount('xfs', 'loop,nouuid', image, cache);
    await this.#mount('ext4', FORGETFUL, device === 'loses its cache' ? join(cache, 'inner.img') : image, folder);
    return {
      folder,
      sync: async () => {
        await run('sync', ['--file-system', folder]);
        if (device === 'loses its cache') await run('sync', ['--file-system', cache]);
      },
      powerLoss: async () => {
        const copy = this.#next();
        await run('cp', ['--reflink=always', image, copy]);
        return { mount: () => this.#open(copy, device) };
      },
      remove: async () => {
        await this.#unmount(folder);
        if (device === 'loses its cache') await this.#unmount(cache);
        rmSync(image);
      },
    };
  }

  async #mount(type: string, options: string, image: string, folder: string): Promise<void> {
    mkdirSync(folder);
    this.#mounts.push(folder);
    await run('mount', ['-t', type, '-o', options, image, folder]);
  }

  /** The kernel releases a loop device created by mount when it is unmounted. */
  async #unmount(folder: string): Promise<void> {
    await until(`${folder} is unmounted`, async () => {
      await run('umount', [folder]);
      return true;
    });
    this.#mounts.splice(this.#mounts.indexOf(folder), 1);
    rmSync(folder, { recursive: true });
  }
}
