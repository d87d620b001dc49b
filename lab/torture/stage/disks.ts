import { execFileSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';

/** Memory of a run's disk; allocated only as it fills. */
const SIZE_MB = 6_000;
const MB = 1_048_576;

/** A separate in-memory file system, which can be full. */
export class Disk {
  private constructor(private readonly path: string) {}

  /** Null without permission to mount: Linux requires root. */
  static mount(path: string): Disk | null {
    mkdirSync(path, { recursive: true, mode: 0o711 });
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=0711`, 'torture', path], { stdio: 'ignore' });
      return new Disk(path);
    } catch {
      return null;
    }
  }

  /**
   * Fills the disk except for `leftMb`, so that further writes fail. Others write at the same time, so it may take
   * several tries.
   */
  fill(leftMb: number, tries = 20): void {
    const { bsize, blocks, bfree } = statfsSync(this.path);
    try {
      this.resize(Math.ceil(((blocks - bfree) * bsize) / MB) + leftMb);
    } catch (error) {
      if (tries === 0) throw error;
      this.fill(leftMb, tries - 1);
    }
  }

  free(): void {
    this.resize(SIZE_MB);
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.path], { stdio: 'ignore' });
  }

  private resize(mb: number): void {
    execFileSync('mount', ['-o', `remount,size=${mb}m`, this.path], { stdio: 'ignore' });
  }
}
