export interface ConversationStarter {
  prompt: string;
}
