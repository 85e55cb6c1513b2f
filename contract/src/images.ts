export interface GenerateImageRequest {
  prompt: string;
  /** A guest's own count of messages; the server counts by itself. */
  guestUsage?: number;
}

export interface GenerateImageResponse {
  url: string;
  cost: number;
}
