import { readFile } from 'node:fs/promises';
import type { PagePicture } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { AppError } from '../../platform/errors/app-error.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { PageDrawer } from '../extract/page-drawer.js';
import type { FileEntity } from '../file.entity.js';
import { Staging } from '../upload/staging.js';
import { ProjectDocuments } from './project-documents.js';

/** Pages that wait to be drawn. One is drawn at a time: uploads need the same processes. */
const MAX_WAITING = 20;

/** Characters of the pictures that are kept in memory. */
const KEPT_CHARACTERS = 32 * 1024 * 1024;

/** How long a page that nobody looks at is kept, ms: its file may have been deleted, on another node or with its project. */
const UNUSED_MS = 10 * 60_000;

/** Interval at which unused pages are dropped, ms. */
const LOOK_MS = 60_000;

/** What a page without a picture takes. */
const NOTHING_CHARACTERS = 100;

interface KeptPage {
  /** null for a page that cannot be drawn. */
  picture: PagePicture | null;
  usedAt: number;
}

const sizeOf = (picture: PagePicture | null): number =>
  picture === null ? NOTHING_CHARACTERS : picture.picture.length + JSON.stringify(picture.words).length;

/** Draws pages of PDFs for people who read them, and keeps the last ones. */
@Injectable()
export class DocumentPages {
  /** By file and page, the last used at the end. */
  private readonly kept = new Map<string, KeptPage>();
  private readonly running = new Map<string, Promise<PagePicture | null>>();
  private readonly limit = pLimit(1);
  private characters = 0;

  constructor(
    private readonly documents: ProjectDocuments,
    private readonly drawer: PageDrawer,
    private readonly staging: Staging,
    background: BackgroundWork,
  ) {
    background.repeat('expiry of drawn pages', LOOK_MS, () => this.dropUnused());
  }

  /**
   * @param page from 1
   * @throws AppError `not_found` for a page that does not exist, is blank or cannot be drawn, `server_busy`
   */
  async picture(file: FileEntity, page: number): Promise<PagePicture> {
    if (page > (file.pages ?? 0)) throw new AppError('not_found');
    const key = keyOf(file.id, page);
    const known = this.recall(key);
    const picture = known === undefined ? await this.drawOnce(key, file, page) : known;
    if (picture === null) throw new AppError('not_found');
    return picture;
  }

  /** Of a file that is deleted. */
  forget(fileId: string): void {
    for (const key of [...this.kept.keys()]) if (key.startsWith(keyOf(fileId, ''))) this.drop(key);
  }

  private async drawOnce(key: string, file: FileEntity, page: number): Promise<PagePicture | null> {
    if (!this.running.has(key) && this.limit.pendingCount >= MAX_WAITING) throw new AppError('server_busy');
    const running =
      this.running.get(key) ??
      this.limit(() => this.draw(file, page))
        .then((picture) => this.keep(key, picture))
        .finally(() => this.running.delete(key));
    this.running.set(key, running);
    return running;
  }

  private draw(file: FileEntity, page: number): Promise<PagePicture | null> {
    return this.documents.withContents(file, async (path) => {
      const target = `${path}.pictures`;
      try {
        const result = await this.drawer.draw({ path, target, pages: [page], most: 1, withWords: true });
        if (result.isBusy) throw new AppError('server_busy');
        const [drawn] = result.drawn;
        if (drawn === undefined) return null;
        const { width, height, words = [] } = drawn;
        const bytes = await readFile(target);
        return { page, width, height, picture: `data:image/jpeg;base64,${bytes.toString('base64')}`, words };
      } finally {
        await this.staging.remove(target);
      }
    });
  }

  private recall(key: string): PagePicture | null | undefined {
    const page = this.kept.get(key);
    if (page === undefined) return undefined;
    this.kept.delete(key);
    this.kept.set(key, { ...page, usedAt: Date.now() });
    return page.picture;
  }

  private keep(key: string, picture: PagePicture | null): PagePicture | null {
    this.kept.set(key, { picture, usedAt: Date.now() });
    this.characters += sizeOf(picture);
    for (const oldest of [...this.kept.keys()]) {
      if (this.characters <= KEPT_CHARACTERS) break;
      this.drop(oldest);
    }
    return picture;
  }

  private dropUnused(): void {
    for (const [key, { usedAt }] of [...this.kept]) {
      if (usedAt > Date.now() - UNUSED_MS) break;
      this.drop(key);
    }
  }

  private drop(key: string): void {
    this.characters -= sizeOf(this.kept.get(key)?.picture ?? null);
    this.kept.delete(key);
  }
}

const keyOf = (fileId: string, page: number | ''): string => `${fileId}:${page}`;
