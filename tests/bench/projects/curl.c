/* SPDX-License-Identifier: MIT
 *
 * A transfer asks the threaded resolver for an address, and is removed before there is one, with a quick exit or without.
 */
#include <curl/curl.h>
#include <netdb.h>
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found)
{
	return EAI_NONAME;
}
int main(void)
{
	int running;
	CURL *easy = curl_easy_init();
	CURLM *multi = curl_multi_init();
	curl_easy_setopt(easy, CURLOPT_URL, "http://example.org/");
	curl_easy_setopt(easy, CURLOPT_IPRESOLVE, CURL_IPRESOLVE_V4);
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, (long)QUICK);
	curl_multi_add_handle(multi, easy);
	curl_multi_perform(multi, &running);
	curl_multi_remove_handle(multi, easy);
	curl_easy_cleanup(easy);
	curl_multi_cleanup(multi);
}
