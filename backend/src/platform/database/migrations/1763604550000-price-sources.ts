import type { QueryRunner } from 'typeorm';

/** The source of each price. Nodes of the previous version leave it empty. */
export class PriceSources1763604550000 {
  name = 'PriceSources1763604550000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "model_price" ADD "source" text`);
  }
}
