export interface GenerateImageRequest {
  prompt: string;
  /** A guest's own count of messages; the server counts by itself. */
  guestUsage?: number;
  /** Makes the call safe to repeat for a day. */
  clientMessageId?: string;
}

export interface GenerateImageResponse {
  url: string;
  cost: number;
}
