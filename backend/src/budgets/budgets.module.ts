/**
 * Budgets in USD of members, keys and the installation: terms, the fragments of SQL that hold them, their use.
 * Not here: what an answer costs, holds of a running answer (`quota`).
 */

import { Module } from '@nestjs/common';
import { BudgetReader } from './budget-reader.js';

@Module({ providers: [BudgetReader], exports: [BudgetReader] })
export class BudgetsModule {}
