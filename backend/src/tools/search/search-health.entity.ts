import type { ConnectionFault, SearchService } from '@tanya/contract';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export interface StoredSearchFailure {
  fault: ConnectionFault;
  message: string;
}

/** The last outcomes of one search service, on any node. */
@Entity('search_health')
export class SearchHealthEntity {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'PK_search_health' })
  service: SearchService;

  @Column({ type: 'jsonb', nullable: true })
  lastError: StoredSearchFailure | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastErrorAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  lastSuccessAt: Date | null;
}
