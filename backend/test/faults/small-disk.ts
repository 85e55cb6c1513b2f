import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const BALLAST = 'ballast';

/** A folder on a tmpfs of a chosen size, which can be filled; an ordinary folder where mounting is not permitted. */
export class SmallDisk {
  private isMounted: boolean;

  private constructor(
    private readonly folder: string,
    readonly isSmall: boolean,
  ) {
    this.isMounted = isSmall;
  }

  /** Mounts the disk until `unmount` or the end of the process. */
  static async at(folder: string, megabytes: number): Promise<SmallDisk> {
    await mkdir(folder, { recursive: true });
    const disk = new SmallDisk(folder, mount(folder, megabytes));
    process.once('exit', () => disk.unmount());
    return disk;
  }

  /** Fills the disk until `makeRoom`. Concurrent writers may take the last bytes. */
  async fill(): Promise<void> {
    const free = execFileSync('df', ['--output=avail', '-B1', this.folder]).toString().trim().split('\n')[1];
    await writeFile(join(this.folder, BALLAST), Buffer.alloc(Math.max(0, Number(free)))).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    });
  }

  async makeRoom(): Promise<void> {
    await rm(join(this.folder, BALLAST), { force: true });
  }

  /** Number of files, at any depth. */
  async count(): Promise<number> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && entry.name !== BALLAST).length;
  }

  unmount(): void {
    if (this.isMounted) execFileSync('umount', ['--lazy', this.folder], { stdio: 'ignore' });
    this.isMounted = false;
  }
}

/** Mounts a tmpfs. @returns false without the privilege to mount */
function mount(folder: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
