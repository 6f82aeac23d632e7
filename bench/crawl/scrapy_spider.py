"""Crawls page-server.ts from one page with Scrapy, as fast as it goes; bodies are appended to a file."""
import json, re, sys, time
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

port, page_count, host_count, folder = sys.argv[1:5]
totals = {"pages": 0, "bytes": 0}


class Pages(scrapy.Spider):
    name = "pages"
    start_urls = [f"http://127.0.0.1:{port}/0"]
    links = LinkExtractor(allow=r"^http://127\.", canonicalize=True)
    out = open(f"{folder}/bodies", "wb")

    def parse(self, response):
        totals["pages"] += response.status == 200
        totals["bytes"] += len(response.body)
        self.out.write(response.body)
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)


process = CrawlerProcess({
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": int(host_count),
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "DOWNLOAD_DELAY": 0,
    "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "REACTOR_THREADPOOL_MAXSIZE": 4,
    "JOBDIR": f"{folder}/job",
})
process.crawl(Pages)
wall, cpu = time.monotonic(), time.process_time()
process.start()
print(json.dumps({**totals, "wallSeconds": time.monotonic() - wall, "processorSeconds": time.process_time() - cpu,
                  "peakMiB": int(re.search(r"VmHWM:\s*(\d+)", open("/proc/self/status").read()).group(1)) / 1024}))
