import { serveTasks } from '../../platform/sandbox/sandbox-worker.js';
import { readPage } from './read-page.js';

serveTasks(readPage);
