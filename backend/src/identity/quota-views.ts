import { Injectable } from '@nestjs/common';

/** Reads how much accounts have used of their quotas. */
export interface QuotaSource {
  /** Messages used in the current period, as `Quota.used`, by account; accounts without usage are absent. */
  usedByMembers(ids: readonly number[]): Promise<Map<number, number>>;
}

/** The use of quotas for rooms that the room of quotas imports: it registers itself here as the source. */
@Injectable()
export class QuotaViews {
  private source: QuotaSource | null = null;

  register(source: QuotaSource): void {
    this.source = source;
  }

  async usedByMembers(ids: readonly number[]): Promise<Map<number, number>> {
    return (await this.source?.usedByMembers(ids)) ?? new Map<number, number>();
  }
}
