export interface GenerateImageRequest {
  prompt: string;
  /** Taken for the sake of old clients and ignored. */
  guestUsage?: number;
}

export interface GenerateImageResponse {
  url: string;
  cost: number;
}
