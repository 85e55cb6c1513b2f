import type { QueryRunner } from 'typeorm';

/**
 * Marks the nodes that open secrets bound to their row. The stored secrets are bound at a start without other nodes
 * (`SecretBinding`), because that needs APP_SECRET.
 */
export class BoundSecrets1764300000000 {
  name = 'BoundSecrets1764300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE "node" ADD "opens_bound_secrets" boolean NOT NULL DEFAULT false`);
  }
}
